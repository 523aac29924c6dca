package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.ledger.InEachBuild;
import io.hyperverbs.lab.ledger.RunsWhenChanged;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** {@code hv bench bw --pattern} and {@code lat --pattern} from start to end. */
@Isolated("keeps all cores busy")
@RunsWhenChanged
class PatternTest {
    @ParameterizedTest
    @CsvSource({
        "A2A, 3, send, bypass, g1>g2 g1>g3 g2>g1 g2>g3 g3>g1 g3>g2 all",
        "M2O, 3, write, forwarded, g2>g1 g3>g1 all",
        "O2O, 4, send, native, n1>n2 n3>n4 all"
    })
    void measuresEachPairAndAll(String pattern, String guests, String verb, String path, String pairs)
            throws Exception {
        try (HvProcess hv = new HvProcess()) {
            HvProcess.Outcome outcome = hv.run(
                            "bench",
                            "bw",
                            "--verb",
                            verb,
                            "-s",
                            "4096",
                            "--pattern",
                            pattern,
                            "--guests",
                            guests,
                            "--path",
                            path,
                            "--format",
                            "json")
                    .expect(0);

            JsonNode found = outcome.json();
            assertThat(found.get("schema").asString()).isEqualTo("hv.bw-pattern/1");
            List<String> names = new ArrayList<>();
            double sum = 0;
            for (JsonNode row : found.get("rows")) {
                names.add(row.get("pair").asString());
                assertThat(row.get("messages").asLong()).as("%s", row).isPositive();
                sum += row.get("share").asDouble();
            }
            assertThat(String.join(" ", names)).isEqualTo(pairs);
            assertThat(sum).isBetween(1.999, 2.001);
            if (found.get("pollers").asInt() > found.get("cores").asInt()) {
                assertThat(outcome.err()).contains("busy pollers");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "M2O, 3, write, bypass, 64, g2>g1 g3>g1 all",
        "O2M, 3, send, forwarded, 64, g1>g2 g1>g3 all",
        "O2O, 2, atomic, native, 8, n1>n2 all"
    })
    void timesEachMessageOfEachPair(String pattern, String guests, String verb, String path, String size, String pairs)
            throws Exception {
        try (HvProcess hv = new HvProcess()) {
            List<String> command = new ArrayList<>(List.of("bench", "lat", "--verb", verb, "--pattern", pattern));
            command.addAll(List.of("--guests", guests, "--path", path, "--format", "json"));
            if (!verb.equals("atomic")) {
                command.addAll(List.of("-s", size));
            }
            JsonNode found = hv.run(command.toArray(String[]::new)).expect(0).json();

            assertThat(found.get("schema").asString()).isEqualTo("hv.lat-pattern/1");
            List<String> names = new ArrayList<>();
            long messages = 0;
            for (JsonNode row : found.get("rows")) {
                names.add(row.get("pair").asString());
                messages += row.get("messages").asLong();
                assertThat(row.get("bytes").asString()).isEqualTo(size);
                List<Double> ordered = Stream.of("t_min_us", "t_typical_us", "p99_us", "p99_9_us", "t_max_us")
                        .map(name -> row.get(name).asDouble())
                        .toList();
                assertThat(ordered).as("%s", row).isSorted();
                assertThat(ordered.getFirst()).isPositive();
                assertThat(row.get("t_avg_us").asDouble()).isBetween(ordered.getFirst(), ordered.getLast());
            }
            assertThat(String.join(" ", names)).isEqualTo(pairs);
            // The last row has those of all others.
            JsonNode all = found.get("rows").get(names.size() - 1);
            assertThat(all.get("messages").asLong()).isPositive().isEqualTo(messages / 2);
        }
    }

    @InEachBuild
    @Test
    void refusesWhatPatternsDoNotHave() throws Exception {
        try (HvProcess hv = new HvProcess()) {
            assertThat(bw(hv, "--guests", "3")).contains("--guests without --pattern");
            assertThat(bw(hv, "--pattern", "O2O", "--guests", "3")).contains("must be even");
            assertThat(bw(hv, "--pattern", "A2A", "--guests", "9")).contains("must be 2 to 8");
            assertThat(bw(hv, "--pattern", "ring")).contains("O2O, O2M, M2O, A2A");
            assertThat(bw(hv, "--pattern", "A2A", "-q", "2")).contains("does not go with -q");
            assertThat(bw(hv, "--pattern", "A2A", "-n", "20")).contains("does not go with -n");
            assertThat(bw(hv, "--pattern", "A2A", "-s", "8MiB")).contains("have memory for");
            assertThat(hv.run("bench", "bw", "--verb", "read", "--pattern", "A2A")
                            .expect(2)
                            .err())
                    .contains("takes --verb send or write");
            assertThat(hv.run("bench", "lat", "--verb", "write", "--pattern", "A2A", "-c", "UC")
                            .expect(2)
                            .err())
                    .contains("takes -c RC");
        }
    }

    private static String bw(HvProcess hv, String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of("bench", "bw", "--verb", "write"));
        command.addAll(List.of(options));
        return hv.run(command.toArray(String[]::new)).expect(2).err();
    }
}
