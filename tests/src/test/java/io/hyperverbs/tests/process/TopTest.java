package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hyperverbs.lab.ledger.InEachBuild;
import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.launcher.output.Json;
import io.hyperverbs.vmm.sandbox.Tools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** {@code hv top} of two guests of which one writes to itself until its file is gone. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@RunsWhenChanged
class TopTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int BYTES = 4096;

    /** Writes of 4 KiB one after the other, each with an event; says so, and ends with its store key. */
    private static final String PROGRAM = """
        import static io.hyperverbs.verbs.Access.*;
        import io.hyperverbs.verbs.*;
        import io.hyperverbs.verbs.SendWorkRequest.RdmaWrite;
        import java.time.Duration;
        import java.util.*;

        public class Busy {
            public static void main(String[] args) throws Exception {
                var domain = Domain.current();
                var rights = EnumSet.of(LOCAL_WRITE, REMOTE_WRITE);
                var memory = domain.memory().allocate(8192, 64);
                try (var context = domain.devices().getFirst().open();
                        var pd = context.allocatePd();
                        var region = pd.register(memory, rights);
                        var channel = context.createChannel();
                        var cq = context.createCq(16, channel);
                        var near = pd.createRc(QpLimits.of(8, 8), cq, cq);
                        var far = pd.createRc(QpLimits.of(8, 8), cq, cq)) {
                    near.connect(far.endpoint(1, region), 2, rights);
                    far.connect(near.endpoint(2, region), 1, rights);
                    System.out.println("busy");
                    var completions = new WorkCompletion[] {new WorkCompletion()};
                    while (true) {
                        var status = cq.arm(false);
                        if (status != VerbsStatus.SUCCESS) throw new IllegalStateException("arm " + status);
                        status = near.postSend(new RdmaWrite(7, SendFlags.SIGNALLED,
                                List.of(region.sge(0, 4096)), region.address() + 4096, region.rkey()));
                        if (status != VerbsStatus.SUCCESS) throw new IllegalStateException("post " + status);
                        cq.await(completions);
                        channel.await(Duration.ofSeconds(1)).ifPresent(told -> channel.acknowledge(told, 1));
                    }
                }
            }
        }
        """;

    @TempDir
    static Path folder;

    private HvProcess hv;
    private Process busy;

    @BeforeAll
    void start() throws Exception {
        String program = Files.writeString(folder.resolve("Busy.java"), PROGRAM).toString();
        Path topology = Files.writeString(folder.resolve("top.hv.yaml"), """
            apiVersion: hv/v1
            name: trace-top
            hca: { core: shared }
            guests: { a: {}, idle: {} }
            """);
        hv = new HvProcess();
        hv.run("-t", topology.toString(), "up", "-d").expect(0);
        Path out = folder.resolve("busy.txt");
        busy = hv.start(out, folder.resolve("busy.err"), "run", "--in", "a", program);
        await().atMost(PATIENCE).until(() -> Files.readString(out).startsWith("busy"));
    }

    @AfterAll
    void end() throws Exception {
        busy.destroy();
        assertThat(busy.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        hv.close();
    }

    private static Map<String, JsonNode> byName(Iterable<JsonNode> rows) {
        Map<String, JsonNode> names = new HashMap<>();
        rows.forEach(row -> names.put(row.get("name").asString(), row));
        return names;
    }

    @Test
    void ratesAreOfTheGuestThatHasThem() throws Exception {
        HvProcess.Outcome outcome =
                hv.run("top", "-b", "-n", "1", "-d", "3", "--format", "json").expect(0);

        JsonNode object = outcome.json();
        assertThat(object.get("schema").asString()).isEqualTo("hv.top/1");
        assertThat(object.get("seconds").asDouble()).isGreaterThanOrEqualTo(3);
        Map<String, JsonNode> rows = byName(object.get("domains"));
        assertThat(rows.keySet()).contains("vmm", "backend", "a", "idle");
        JsonNode a = rows.get("a");
        assertThat(a.get("topology").asString()).isEqualTo("trace-top");
        assertThat(a.get("state").asString()).isEqualTo("running");
        assertThat(a.get("cpu_percent").asDouble()).isPositive();
        assertThat(a.get("qps").asInt()).isEqualTo(2);
        assertThat(a.get("cqs").asInt()).isEqualTo(1);
        assertThat(a.get("mrs").asInt()).isEqualTo(1);
        double posts = a.get("post_per_s").asDouble();
        assertThat(posts).isPositive();
        // One completion, one event and, at both ends, 4 KiB a write; the counters are not read at one moment.
        assertThat(a.get("cqe_per_s").asDouble()).isBetween(0.8 * posts, 1.25 * posts);
        assertThat(a.get("evt_per_s").asDouble()).isBetween(0.7 * posts, 1.25 * posts);
        assertThat(a.get("mib_per_s").asDouble() * (1 << 20)).isBetween(1.6 * posts * BYTES, 2.5 * posts * BYTES);
        assertThat(a.get("fwd_per_s").asDouble()).isZero();
        assertThat(a.get("err").asLong()).isZero();
        JsonNode idle = rows.get("idle");
        assertThat(idle.get("qps").asInt()).isZero();
        assertThat(idle.get("post_per_s").asDouble()).isZero();
        assertThat(rows.get("vmm").get("qps").isNull()).isTrue();
        assertThat(rows.get("backend").get("cpu_percent").asDouble()).isPositive();
    }

    @Test
    void privilegedVerbsAreForwardedCalls() throws Exception {
        Path out = folder.resolve("forwarded.jsonl");
        Process top =
                hv.start(out, folder.resolve("top.err"), "top", "-b", "-n", "40", "-d", "0.5", "--format", "jsonl");
        hv.run("run", "--in", "idle", "examples/WriteHello.java").expect(0);

        await().atMost(PATIENCE)
                .until(() -> rows(out).stream()
                        .filter(row -> row.get("name").asString().equals("idle"))
                        .anyMatch(row -> row.get("fwd_per_s").asDouble() > 0));
        top.destroy();
        assertThat(top.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    private static List<JsonNode> rows(Path file) throws Exception {
        List<JsonNode> rows = new ArrayList<>();
        String text = Files.readString(file);
        // The last line may be on its way.
        text.substring(0, text.lastIndexOf('\n') + 1).lines().map(Json::parse).forEach(rows::add);
        return rows;
    }

    @InEachBuild
    @Test
    void tablesComeOneAfterTheOther() throws Exception {
        String tables = hv.run("top", "-n", "2", "-d", "0.2").expect(0).out();
        String csv = hv.run("top", "-n", "2", "-d", "0.2", "--format", "csv")
                .expect(0)
                .out();

        assertThat(tables.split("\n\n")).hasSize(2).allMatch(table -> table.startsWith("NAME"));
        assertThat(tables).doesNotContain("\u001b");
        assertThat(csv.lines().filter(line -> line.startsWith("time,topology,name,state,cpu_percent,")))
                .hasSize(1);
        assertThat(csv.lines().filter(line -> line.contains(",trace-top,a,"))).hasSize(2);
    }

    @Test
    void aTerminalIsDrawnAnewAndGivenBack() throws Exception {
        assumeTrue(Tools.find("script").isPresent(), "no script(1) here, which makes pseudo-terminals");
        String drawn =
                hv.onTerminal(80, "top", "-n", "2", "-d", "0.2").expect(0).out();

        assertThat(drawn)
                .startsWith("\u001b[?1049h\u001b[?25l")
                .contains("\u001b[HNAME")
                .endsWith("\u001b[?25h\u001b[?1049l");
        assertThat(drawn.split("\u001b\\[H", -1)).hasSize(4);
        assertThat(drawn.replaceAll("\u001b\\[[0-9;?]*[A-Za-z]", "").split("[\r\n]+"))
                .allMatch(line -> line.length() <= 80);
    }

    @Test
    void mistakesAreOneLine() throws Exception {
        assertThat(hv.run("top", "-d", "0.01").expect(2).err()).contains("-d 0.01, must be 0.1 to 86400 seconds");
        assertThat(hv.run("top", "-n", "0").expect(2).err()).contains("-n 0, must be at least 1");
        assertThat(hv.run("top", "-t", "other").expect(4).err()).contains("topology other is not running");
    }
}
