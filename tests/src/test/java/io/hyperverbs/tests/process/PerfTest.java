package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.lab.bench.BenchVerb;
import io.hyperverbs.lab.bench.perf.PerfFlag;
import io.hyperverbs.lab.bench.perf.PerfProgram;
import io.hyperverbs.lab.bench.perf.PerfQueues;
import io.hyperverbs.lab.bench.perf.PerfRound;
import io.hyperverbs.lab.ledger.InEachBuild;
import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.lab.run.bench.MeasuredPath;
import io.hyperverbs.lab.run.bench.StoreCommands;
import io.hyperverbs.lab.run.perf.BandwidthRow;
import io.hyperverbs.lab.run.perf.LatencyRow;
import io.hyperverbs.lab.run.perf.PerfPlan;
import io.hyperverbs.lab.run.perf.PerfRow;
import io.hyperverbs.lab.run.perf.PerfRun;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.InstalledPrograms;
import io.hyperverbs.launcher.machine.Program;
import io.hyperverbs.launcher.topology.Guest;
import io.hyperverbs.tests.machine.TestMachine;
import io.hyperverbs.verbs.QpType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** {@code hv bench lat} and {@code bw}: rounds on one machine, and the commands themselves. */
@Isolated("keeps all cores busy")
@RunsWhenChanged
class PerfTest {
    private static final List<MeasuredPath> PATHS = Arrays.stream(MeasuredPath.values())
            .filter(MeasuredPath::isOfMachine)
            .toList();
    private static final int ITERATIONS = 40;
    private static final PerfQueues ONE = new PerfQueues(1, 16, 32, 1, 0, 0);

    private static TestMachine machine;
    private static PerfRun run;

    @BeforeAll
    static void startMachine() throws Exception {
        List<Guest> guests = PerfRun.topology(PATHS, "perf").guests();
        Map<String, Program> programs = new HashMap<>();
        for (Guest guest : guests) {
            programs.put(
                    guest.name(),
                    InstalledPrograms.of(
                            PerfProgram.class, guest.app().orElseThrow().args()));
        }
        machine = new TestMachine(guests, programs);
        StoreCommands commands = new StoreCommands(machine.client(), Duration.ofMinutes(2));
        commands.awaitReady(PATHS);
        run = new PerfRun(
                commands, millis -> 50, () -> 0, (cell, iterations, warmUp, millis) -> new long[] {cell.bytes()});
    }

    @AfterAll
    static void endMachine() throws Exception {
        machine.close();
    }

    private static PerfPlan plan(
            boolean latency, BenchVerb verb, QpType transport, PerfQueues queues, PerfFlag... flags) {
        EnumSet<PerfFlag> all = EnumSet.noneOf(PerfFlag.class);
        all.addAll(List.of(flags));
        return new PerfPlan(latency, verb, transport, List.of(), PATHS, ITERATIONS, 0, queues, all, false);
    }

    private static void measure(PerfPlan plan, MeasuredPath path, int sizeBytes) throws Exception {
        PerfRow row = run.row(plan, path, sizeBytes);
        switch (row) {
            case LatencyRow latency -> {
                assertThat(latency.times().count()).isEqualTo(ITERATIONS);
                assertThat(latency.times().min()).isPositive();
            }
            case BandwidthRow bandwidth -> {
                assertThat(bandwidth.messages())
                        .isEqualTo((long) ITERATIONS * plan.queues().queuePairs());
                assertThat(bandwidth.perSecond()).isPositive();
                assertThat(bandwidth.peakPerSecond()).isGreaterThanOrEqualTo(bandwidth.perSecond() * 0.99);
                if (plan.transport() == QpType.RC) {
                    assertThat(bandwidth.dropped()).isZero();
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(BenchVerb.class)
    void eachVerbHasLatencyAndBandwidthByBypass(BenchVerb verb) throws Exception {
        int size = verb == BenchVerb.FETCH_ADD ? Long.BYTES : 4096;

        measure(plan(true, verb, QpType.RC, ONE), MeasuredPath.BYPASS, size);
        measure(plan(false, verb, QpType.RC, ONE), MeasuredPath.BYPASS, size);
    }

    @ParameterizedTest
    @EnumSource(
            value = MeasuredPath.class,
            names = {"NATIVE", "FORWARDED"})
    void eachOtherPathHasThemToo(MeasuredPath path) throws Exception {
        measure(plan(true, BenchVerb.WRITE, QpType.RC, ONE), path, 1);
        measure(plan(false, BenchVerb.SEND, QpType.RC, ONE), path, 4096);
    }

    @ParameterizedTest
    @CsvSource({"UC, WRITE", "UD, SEND"})
    void unreliableTransportsHaveTheirVerbs(QpType transport, BenchVerb verb) throws Exception {
        measure(plan(true, verb, transport, ONE), MeasuredPath.BYPASS, 2048);
        measure(plan(false, verb, transport, ONE), MeasuredPath.BYPASS, 2048);
    }

    @Test
    void severalQueuePairsPostListsToEachOtherAsleep() throws Exception {
        PerfQueues queues = new PerfQueues(2, 16, 32, 4, 8, 0);

        measure(
                plan(false, BenchVerb.SEND, QpType.RC, queues, PerfFlag.EVENTS, PerfFlag.BIDIRECTIONAL, PerfFlag.SRQ),
                MeasuredPath.BYPASS,
                512);
    }

    @ParameterizedTest
    @EnumSource(
            value = BenchVerb.class,
            names = {"SEND", "FETCH_ADD"})
    void bothDirectionsGoAtOnce(BenchVerb verb) throws Exception {
        PerfQueues queues = new PerfQueues(3, 7, 5, 3, 2, 64);

        measure(plan(false, verb, QpType.RC, queues, PerfFlag.BIDIRECTIONAL), MeasuredPath.BYPASS, Long.BYTES);
    }

    @Test
    void latencySleepsAndReceivesFromASharedQueue() throws Exception {
        measure(plan(true, BenchVerb.SEND, QpType.RC, ONE, PerfFlag.EVENTS, PerfFlag.SRQ), MeasuredPath.BYPASS, 64);
        measure(plan(true, BenchVerb.READ, QpType.RC, ONE, PerfFlag.EVENTS), MeasuredPath.BYPASS, 64);
        measure(plan(true, BenchVerb.WRITE, QpType.RC, new PerfQueues(1, 1, 1, 1, 1, 128)), MeasuredPath.BYPASS, 128);
    }

    @Test
    void theLargestMessageGoesThrough() throws Exception {
        measure(plan(true, BenchVerb.WRITE, QpType.RC, ONE), MeasuredPath.BYPASS, 1 << 23);
    }

    @Test
    void aFailureIsSaidAndTheNextRowIsMeasured() throws Exception {
        // A datagram is no longer than the MTU: the options refuse it, and here the HCA.
        assertThatThrownBy(() -> run.row(plan(true, BenchVerb.SEND, QpType.UD, ONE), MeasuredPath.BYPASS, 4096))
                .isInstanceOf(HvException.class)
                .hasMessageContaining("send of 4096 bytes on BYPASS");

        measure(plan(true, BenchVerb.SEND, QpType.UD, ONE), MeasuredPath.BYPASS, 64);
    }

    @InEachBuild
    @Test
    void commandsPrintRowsAndWriteThem(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("rows.json");
        try (HvProcess hv = new HvProcess()) {
            HvProcess.Outcome outcome = hv.run(
                            "bench",
                            "bw",
                            "--verb",
                            "send",
                            "-c",
                            "UD",
                            "-s",
                            "64,2KiB",
                            "-n",
                            "100",
                            "-q",
                            "2",
                            "-t",
                            "8",
                            "--path",
                            "bypass",
                            "--report_gbits",
                            "--out_json_file=" + file)
                    .expect(0);

            List<String> lines = outcome.out().lines().toList();
            assertThat(lines.getFirst()).startsWith(" #bytes     #iterations    BW peak[Gb/sec]");
            assertThat(lines.subList(1, lines.size())).hasSize(2).allMatch(line -> line.endsWith("bypass"));
            JsonNode rows = new JsonMapper().readTree(Files.readString(file));
            assertThat(rows.get("schema").asString()).isEqualTo("hv.bw/1");
            assertThat(rows.get("command").asString()).contains("--out_json_file=");
            assertThat(rows.at("/rows/1/size").asInt()).isEqualTo(2048);
            assertThat(rows.at("/rows/0/floor_msg_rate").asDouble()).isPositive();
            assertThat(rows.at("/rows/1/over_floor").asDouble()).isPositive();
            assertThat(rows.at("/rows/1/iterations").asInt()).isEqualTo(200);
        }
    }

    @Test
    void aRunIsComparedWithAnEarlierOne(@TempDir Path folder) throws Exception {
        Path old = folder.resolve("old.json");
        Path slow = folder.resolve("slow.json");
        try (HvProcess hv = new HvProcess()) {
            hv.run("bench", "bw", "--verb", "write", "-n", "50", "--path", "native", "--out_json_file=" + old)
                    .expect(0);
            String rows = Files.readString(old);
            ObjectNode object = (ObjectNode) new JsonMapper().readTree(rows);
            for (JsonNode row : object.get("rows")) {
                ((ObjectNode) row).put("hop_state", "near").put("other_cores", 0);
            }
            Files.writeString(old, object.toString());
            for (JsonNode row : object.get("rows")) {
                ((ObjectNode) row).put("msg_rate", row.get("msg_rate").asDouble() / 2);
            }
            Files.writeString(slow, object.toString());

            assertThat(hv.run("bench", "bw", "--compare", old.toString(), "--with", slow.toString())
                            .expect(6)
                            .out())
                    .contains("slower", "1 of 1 rows compared");
            hv.run("bench", "bw", "--compare", slow.toString(), "--with", old.toString(), "--threshold", "150%")
                    .expect(0);
            assertThat(hv.run("bench", "lat", "--compare", old.toString(), "--with", slow.toString())
                            .expect(2)
                            .err())
                    .contains("is hv.bw/1, must be hv.lat/1");
            assertThat(hv.run("bench", "bw", "--verb", "send", "--compare", old.toString())
                            .expect(2)
                            .err())
                    .contains("--verb write -c RC", "--verb send -c RC");
            assertThat(hv.run("bench", "bw").expect(2).err()).contains("--verb is missing");
        }
    }

    @Test
    void aRowLastsAsLongAsItIsTold() throws Exception {
        try (HvProcess hv = new HvProcess()) {
            JsonNode rows = hv.run(
                            "bench",
                            "lat",
                            "--verb",
                            "atomic",
                            "-D",
                            "1",
                            "--path",
                            "native,bypass",
                            "--format",
                            "json")
                    .expect(0)
                    .json();

            assertThat(rows.get("rows")).hasSize(2);
            for (JsonNode row : rows.get("rows")) {
                int iterations = row.get("iterations").asInt();
                double micros = row.get("t_avg").asDouble() * iterations;
                // On a fast computer it ends by its samples.
                double least = iterations == PerfRound.MOST_SAMPLES ? 0 : 0.5e6;
                assertThat(micros).as("%s", row).isBetween(least, 20e6);
            }
        }
    }
}
