package io.hyperverbs.lab.run.perf;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.bench.BenchVerb;
import io.hyperverbs.lab.bench.perf.PerfQueues;
import io.hyperverbs.lab.run.bench.Environment;
import io.hyperverbs.lab.run.bench.HopState;
import io.hyperverbs.lab.run.bench.MeasuredPath;
import io.hyperverbs.launcher.output.Format;
import io.hyperverbs.launcher.topology.Guest;
import io.hyperverbs.verbs.QpType;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who sends to whom, and what is printed of it. */
class TrafficPatternTest {
    @ParameterizedTest
    @CsvSource({
        "O2O, 4, 0>1 2>3, 3, 5, 1",
        "O2M, 4, 0>1 0>2 0>3, 2, 5, 3",
        "M2O, 4, 1>0 2>0 3>0, 4, 5, 3",
        "A2A, 3, 0>1 0>2 1>0 1>2 2>0 2>1, 4, 4, 4"
    })
    void pairsAreThoseOfThePattern(
            TrafficPattern pattern, int guests, String pairs, int writers, int receivers, int most) {
        String found = pattern.pairs(guests).stream()
                .map(pair -> pair.from() + ">" + pair.to())
                .collect(Collectors.joining(" "));

        assertThat(found).isEqualTo(pairs);
        assertThat(pattern.pollers(guests, false)).isEqualTo(writers);
        assertThat(pattern.pollers(guests, true)).isEqualTo(receivers);
        assertThat(pattern.mostPairs(guests)).isEqualTo(most);
    }

    @Test
    void eachPairHasItsShareOfTheSum() {
        PerfPlan plan = new PerfPlan(
                        false,
                        BenchVerb.WRITE,
                        QpType.RC,
                        List.of(1 << 20),
                        List.of(MeasuredPath.BYPASS),
                        1000,
                        0,
                        new PerfQueues(1, 128, 512, 1, 0, 0),
                        Set.of(),
                        false)
                .lasting(2);
        List<PatternRow.PairRate> pairs = List.of(
                new PatternRow.PairRate("g1>g2", 600, 300, null), new PatternRow.PairRate("g3>g4", 200, 100, null));
        PatternRow row = new PatternRow(MeasuredPath.BYPASS, 1 << 20, pairs, HopState.NEAR, 0);
        Environment environment = new Environment(2, "cpu", "1 kB", "Linux", "JDK", "0", "abc");

        String csv = PatternTable.of(plan, TrafficPattern.O2O, 4, List.of(row), environment)
                .render(Format.CSV);

        assertThat(csv.lines().skip(1))
                .containsExactly(
                        "1048576,bypass,g1>g2,600,300.0,300,0.75,near,0.0",
                        "1048576,bypass,g3>g4,200,100.0,100,0.25,near,0.0",
                        "1048576,bypass,all,800,400.0,400,1.0,near,0.0");
    }

    @Test
    void domainsAreThoseOfThePaths() {
        assertThat(PatternRun.topology(List.of(MeasuredPath.NATIVE, MeasuredPath.BYPASS), 2, "p")
                        .guests())
                .extracting(Guest::name)
                .containsExactly("n1", "g1", "n2", "g2");
    }
}
