package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;
import static org.awaitility.Awaitility.await;

import io.hyperverbs.lab.ledger.InEachBuild;
import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.launcher.machine.MachineFolder;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.output.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** {@code hv trace} and {@code hv run --trace} of one topology. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@RunsWhenChanged
class TraceTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** Two privileged verbs and what closes them; then lines of its own, into the pipe that its driver writes the log to. */
    private static final String PROGRAM = """
        import io.hyperverbs.verbs.Domain;

        public class Traced {
            public static void main(String[] args) throws Exception {
                var domain = Domain.current();
                try (var context = domain.devices().getFirst().open(); var pd = context.allocatePd()) {
                    System.out.println("has a PD");
                }
                for (String line : args) {
                    forge(line);
                }
                System.exit(7);
            }

            private static void forge(String line) throws Exception {
                Object pipe = field(field(Domain.current(), "trace"), "sink");
                byte[] bytes = (line + "\\n").getBytes();
                var take = pipe.getClass().getDeclaredMethod("take", byte[].class, int.class);
                take.setAccessible(true);
                take.invoke(pipe, bytes, bytes.length);
            }

            private static Object field(Object of, String name) throws Exception {
                var field = of.getClass().getDeclaredField(name);
                field.setAccessible(true);
                return field.get(of);
            }
        }
        """;

    @TempDir
    static Path folder;

    private HvProcess hv;
    private String program;

    @BeforeAll
    void start() throws Exception {
        program = Files.writeString(folder.resolve("Traced.java"), PROGRAM).toString();
        Path topology = Files.writeString(folder.resolve("trace.hv.yaml"), """
            apiVersion: hv/v1
            name: trace
            hca: { core: shared }
            guests: { a: {}, n: { native: true } }
            """);
        // A shell that starts the build in the background has its children ignore SIGINT.
        hv = new HvProcess().under(List.of("env", "--default-signal=INT"));
        hv.run("-t", topology.toString(), "up", "-d").expect(0);
    }

    @AfterAll
    void end() throws Exception {
        hv.close();
    }

    /** A trace that goes on. */
    private Process trace(Path out, String... words) throws Exception {
        String[] line = new String[words.length + 2];
        line[0] = "trace";
        System.arraycopy(words, 0, line, 1, words.length);
        line[line.length - 1] = "a";
        Process process = hv.start(out, folder.resolve("trace.err"), line);
        try (RunningMachine machine = RunningMachine.attach(new MachineFolder("trace", hv.state("trace")))) {
            await().atMost(PATIENCE)
                    .until(() -> machine.client()
                            .storeRead("domain/tool/trace/a", Duration.ZERO)
                            .isPresent());
        }
        return process;
    }

    private static int exit(Process process) throws Exception {
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    /** Lets a program run, and ends the trace when its last verb is written down. */
    private void interrupted(Process trace) throws Exception {
        Path log = new MachineFolder("trace", hv.state("trace")).verbsLog("a");
        long before = Files.size(log);
        hv.run("run", "--in", "a", program).expect(7);
        await().atMost(PATIENCE).until(() -> {
            String written = new String(Files.readAllBytes(log), StandardCharsets.UTF_8).substring((int) before);
            return written.contains(" close_device(") && written.endsWith("\n");
        });
        new ProcessBuilder("kill", "-INT", Long.toString(trace.pid())).start().waitFor();
        assertThat(exit(trace)).isEqualTo(130);
    }

    @Test
    void ctrlCShowsTheSums() throws Exception {
        Path out = folder.resolve("sums.txt");
        Path file = folder.resolve("sums.json");
        interrupted(trace(out, "-c"));
        interrupted(trace(folder.resolve("nothing"), "-c", "--format", "json", "-o", file.toString()));

        assertThat(folder.resolve("nothing")).isEmptyFile();
        assertThat(Files.readString(out))
                .startsWith("VERB")
                .containsPattern("open_device +1  forwarded +[0-9.]+ +[0-9.]+ +[0-9.]+\n")
                .contains("alloc_pd ", "dealloc_pd ", "close_device ")
                .endsWith("\n\n0 calls bypass the hypervisor (0 %), 4 are forwarded (100 %)\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        JsonNode sums = Json.parse(Files.readString(file));
        assertThat(sums.get("schema").asString()).isEqualTo("hv.trace.summary/1");
        assertThat(sums.get("command").asString()).startsWith("hv trace -c --format json -o ");
        assertThat(sums.get("calls_forwarded").asLong()).isEqualTo(4);
        double total = 0;
        for (JsonNode row : sums.get("verbs")) {
            assertThat(row.get("calls").asLong()).isEqualTo(1);
            total += row.get("total_us").asDouble();
        }
        assertThat(total).isCloseTo(sums.get("total_us").asDouble(), offset(0.1));
    }

    @InEachBuild
    @Test
    void chosenVerbsAreObjectsUntilTheirCount() throws Exception {
        Path out = folder.resolve("lines.jsonl");
        Process trace = trace(out, "-e", "alloc_pd,close_device", "-n", "2", "--format", "jsonl");

        hv.run("run", "--in", "a", program).expect(7);

        assertThat(exit(trace)).isZero();
        List<JsonNode> lines = Files.readString(out).lines().map(Json::parse).toList();
        assertThat(lines).hasSize(2);
        JsonNode first = lines.getFirst();
        assertThat(first.get("schema").asString()).isEqualTo("hv.trace/1");
        assertThat(first.get("domain").asString()).isEqualTo("a");
        assertThat(first.get("verb").asString()).isEqualTo("alloc_pd");
        assertThat(first.get("result").asString()).startsWith("pd ");
        assertThat(first.get("micros").isNumber()).isTrue();
        assertThat(first.get("way").asString()).isEqualTo("forwarded");
        assertThat(lines.get(1).get("verb").asString()).isEqualTo("close_device");
    }

    @Test
    void linesThatAGuestForgesAreMarkedAndCounted() throws Exception {
        String forged = "12:00:01.000410 take_over(world) = 0 <0.19us> bypass";
        HvProcess.Outcome lines = hv.run("run", "--in", "a", "--trace", program, forged, "\u001b[2J")
                .expect(7);
        HvProcess.Outcome sums =
                hv.run("run", "--in", "a", "--trace", "-c", program, forged).expect(7);

        assertThat(lines.out()).isEqualTo("has a PD\n");
        assertThat(lines.err())
                .contains("? a: " + forged + "\n", "? a: \u001b[2J\n")
                .containsPattern("[0-9:.]{15} a (\\[program-[0-9]+] )?open_device\\(")
                .endsWith("hv: 2 lines not understood\n");
        assertThat(sums.err())
                .startsWith("VERB")
                .contains("4 are forwarded (100 %)\n1 line not understood\n")
                .doesNotContain("take_over");
    }

    @Test
    void aNewGuestIsTracedFromItsFirstVerb() throws Exception {
        HvProcess.Outcome lines = hv.run("run", "--trace", program).expect(7);
        HvProcess.Outcome sums = hv.run("run", "--trace", "-c", program).expect(7);

        assertThat(lines.out()).isEqualTo("has a PD\n");
        assertThat(lines.err().lines().map(line -> line.replaceFirst(".* run1 ([a-z_]+)\\(.*", "$1")))
                .containsExactly("open_device", "alloc_pd", "dealloc_pd", "close_device");
        assertThat(sums.out()).isEqualTo("has a PD\n");
        assertThat(sums.err()).startsWith("VERB").endsWith("4 are forwarded (100 %)\n");
    }

    @Test
    void whatCannotBeTracedIsRefused() throws Exception {
        assertThat(hv.run("trace", "n").expect(5).err()).contains("domain n has no verb log");
        assertThat(hv.run("trace", "x").expect(4).err()).contains("no domain x");
        assertThat(hv.run("run", "-c", program).expect(2).err()).contains("-c without --trace");
        assertThat(hv.run("trace", "-o", "/nowhere/x", "a").expect(4).err()).contains("there is no such folder");
    }
}
