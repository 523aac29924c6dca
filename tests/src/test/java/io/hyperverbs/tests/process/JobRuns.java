package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Jobs of {@code hv mpirun} whose ranks print {@code rank R waits|ends|knows MILLIS}: what they must know, and when. */
final class JobRuns {
    /** When a rank has to know that another is gone. */
    private static final long PROMISED_MILLIS = 2000;

    private static final Pattern TIME = Pattern.compile("rank (\\d+) (ends|knows) (\\d+)");

    private JobRuns() {}

    /** Starts guests a and b, and c and d whose verbs are forwarded, and whose first partition is no other's. */
    static HvProcess up(Path folder, String topology) throws Exception {
        HvProcess hv = new HvProcess();
        Path file = Files.writeString(folder.resolve(topology + ".hv.yaml"), """
            apiVersion: hv/v1
            name: %s
            defaults: { guest: { memory: 128MiB } }
            hca: { pkeys: [0xffff, 0x8003, 0x8004] }
            guests:
              a: {}
              b: {}
              c: { path: forwarded, pkeys: [0x8003, 0xffff] }
              d: { path: forwarded, pkeys: [0x8004, 0xffff] }
            """.formatted(topology));
        try {
            hv.run("-t", file.toString(), "up", "-d").expect(0);
            return hv;
        } catch (Exception | AssertionError e) {
            hv.close();
            throw e;
        }
    }

    /** No queue pair, listener or connection of a job is left. */
    static void assertNothingIsLeft(HvProcess hv) throws Exception {
        assertThat(hv.run("rdma", "resource", "show", "qp").expect(0).out()).doesNotContain("RTS");
        assertThat(hv.run("rdma", "resource", "show", "cm_id").expect(0).out()).isBlank();
    }

    /** Ranks that are told say when, after {@code endMillis} or what the failed one said. */
    static void assertAllKnow(String said, List<Integer> ranks, long endMillis) {
        long end = endMillis;
        for (Matcher line : lines(said)) {
            end = line.group(2).equals("ends") ? Long.parseLong(line.group(3)) : end;
        }
        for (int rank : ranks) {
            long knows = lines(said).stream()
                    .filter(line -> line.group(2).equals("knows") && Integer.parseInt(line.group(1)) == rank)
                    .mapToLong(line -> Long.parseLong(line.group(3)))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("rank " + rank + " does not know: " + said));
            assertThat(knows - end).as("rank %d knows after", rank).isBetween(0L, PROMISED_MILLIS);
        }
    }

    private static List<Matcher> lines(String said) {
        return said.lines().map(TIME::matcher).filter(Matcher::matches).toList();
    }

    /** Runs four ranks in guests b and a, kills a when its ranks wait, and looks that those in b know. */
    static void killOneOfTwoGuests(Path folder, Path program) throws Exception {
        Path topology = Files.writeString(folder.resolve("killed.hv.yaml"), """
            apiVersion: hv/v1
            name: killed
            defaults: { guest: { memory: 128MiB } }
            guests: { a: {}, b: {} }
            """);
        try (HvProcess other = new HvProcess()) {
            other.run("-t", topology.toString(), "up", "-d").expect(0);
            long victim = pid(other, "a");
            var job = ExecutableGuests.concurrently(
                    () -> other.run("mpirun", "-n", "4", "--guests", "b,a", program.toString(), "wait"));
            Instant end = Instant.now().plus(Duration.ofSeconds(60));
            while (true) {
                String said = log(other, "a");
                if (IntStream.of(2, 3).allMatch(rank -> said.contains("rank " + rank + " waits"))) {
                    break;
                }
                assertThat(Instant.now()).as(said).isBefore(end);
            }

            long killed = System.currentTimeMillis();
            assertThat(ProcessHandle.of(victim).orElseThrow().destroyForcibly()).isTrue();
            HvProcess.Outcome run = job.get();

            assertThat(run.exit()).as(run.err()).isNotZero();
            assertThat(run.err()).contains("hv: guest a has ended with ranks 2, 3, the other ranks are stopped");
            assertAllKnow(run.out(), List.of(0, 1), killed);
            assertThat(other.run("rdma", "resource", "show", "qp").expect(0).out())
                    .doesNotContain("RTS");
        }
    }

    private static long pid(HvProcess of, String guest) throws Exception {
        for (var domain : of.run("ps", "--format", "json").expect(0).json().get("domains")) {
            if (domain.get("name").asString().equals(guest)) {
                return domain.get("pid").asLong();
            }
        }
        throw new AssertionError("no guest " + guest);
    }

    private static String log(HvProcess of, String guest) throws Exception {
        return of.run("logs", guest).out();
    }
}
