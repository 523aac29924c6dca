package io.hyperverbs.lab.run.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.lab.bench.BenchVerb;
import io.hyperverbs.lab.bench.perf.PerfQueues;
import io.hyperverbs.lab.run.bench.Environment;
import io.hyperverbs.lab.run.bench.HopState;
import io.hyperverbs.lab.run.bench.MeasuredPath;
import io.hyperverbs.lab.run.bench.Percentiles;
import io.hyperverbs.lab.run.perf.BandwidthRow;
import io.hyperverbs.lab.run.perf.LatencyRow;
import io.hyperverbs.lab.run.perf.PerfPlan;
import io.hyperverbs.lab.run.perf.PerfReport;
import io.hyperverbs.lab.run.perf.PerfRow;
import io.hyperverbs.launcher.output.Format;
import io.hyperverbs.launcher.output.Json;
import io.hyperverbs.verbs.QpType;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Rows as lat and bw write them, compared. */
class PerfFileTest {
    private static final Environment ENVIRONMENT = new Environment(2, "cpu", "1 kB", "Linux", "JDK", "0", "abc");

    private static ObjectNode object(boolean latency, PerfRow row) {
        PerfPlan plan = new PerfPlan(
                latency,
                BenchVerb.WRITE,
                QpType.RC,
                List.of(64),
                List.of(MeasuredPath.BYPASS),
                1000,
                0,
                new PerfQueues(1, 128, 512, 1, 0, 0),
                Set.of(),
                false);
        return new PerfReport(plan).object(List.of(row), ENVIRONMENT, "2");
    }

    private static ObjectNode latency(long nanos, HopState hop, double otherCores) {
        Percentiles times = Percentiles.ofNanos(List.of(new long[] {nanos}), 1);
        return object(true, new LatencyRow(MeasuredPath.BYPASS, 64, times, hop, otherCores));
    }

    private static ObjectNode bandwidth(double perSecond) {
        return object(false, new BandwidthRow(MeasuredPath.BYPASS, 64, 1000, 0, perSecond, 0, 0, HopState.NEAR, 0));
    }

    private static JsonNode only(Comparison comparison) {
        return Json.parse(comparison.table().render(Format.JSON)).at("/rows/0");
    }

    @ParameterizedTest
    @CsvSource({
        "8000, NEAR, 0, same",
        "9000, NEAR, 0, slower",
        "7000, NEAR, 0, faster",
        "9000, FAR, 0, 'hop near, new far'",
        "9000, MIXED, 0, new disturbed",
        "9000, NEAR, 1, new disturbed"
    })
    void typicalTimesAreCompared(long nanos, HopState hop, double otherCores, String verdict) throws Exception {
        BenchFile before = PerfFile.of(latency(8000, HopState.NEAR, 0), true);
        BenchFile now = PerfFile.of(latency(nanos, hop, otherCores), true);

        JsonNode row = only(new Comparison(before, now, 0.1));

        assertThat(row.get("verdict").asString()).isEqualTo(verdict);
        assertThat(row.get("old_us").asDouble()).isEqualTo(8);
        assertThat(row.get("spread").isNull()).isTrue();
    }

    @Test
    void aLowerRateIsSlower() throws Exception {
        Comparison comparison =
                new Comparison(PerfFile.of(bandwidth(1e6), false), PerfFile.of(bandwidth(5e5), false), 0.1);

        assertThat(only(comparison).get("verdict").asString()).isEqualTo("slower");
        assertThat(only(comparison).get("new_old").asDouble()).isEqualTo(2);
        assertThat(comparison.isSlower()).isTrue();
    }

    @Test
    void optionsAreKnown() throws Exception {
        assertThat(PerfFile.of(bandwidth(1e6), false).options())
                .isEqualTo("--verb write -c RC -q 1 -t 128 -r 512 -l 1 -Q 0 -I 0");
    }

    @Test
    void otherFilesAreRefusedInWords() {
        ObjectNode without = bandwidth(1e6);
        without.remove(PerfFile.OPTIONS);

        assertThatThrownBy(() -> PerfFile.of(bandwidth(1e6), true)).hasMessage("is hv.bw/1, must be hv.lat/1");
        assertThatThrownBy(() -> PerfFile.of(without, false)).hasMessage("it has no word 'options'");
        assertThatThrownBy(() -> PerfFile.of(bandwidth(0), false)).hasMessage("row 1 has no message rate");
    }
}
