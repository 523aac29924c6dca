package io.hyperverbs.lab.run.perf;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.bench.BenchVerb;
import io.hyperverbs.lab.bench.perf.PerfQueues;
import io.hyperverbs.lab.run.bench.Environment;
import io.hyperverbs.lab.run.bench.HopState;
import io.hyperverbs.lab.run.bench.MeasuredPath;
import io.hyperverbs.lab.run.bench.Percentiles;
import io.hyperverbs.verbs.QpType;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class PerfReportTest {
    private static final Environment ENVIRONMENT = new Environment(2, "cpu", "1 kB", "Linux", "JDK", "0", "abc");

    private static PerfReport report(boolean latency, boolean gbits) {
        return new PerfReport(new PerfPlan(
                latency,
                BenchVerb.WRITE,
                QpType.RC,
                List.of(2),
                List.of(MeasuredPath.BYPASS),
                1000,
                0,
                new PerfQueues(1, 128, 512, 1, 1, 0),
                Set.of(),
                gbits));
    }

    private static LatencyRow latency() {
        long[] nanos = LongStream.rangeClosed(1, 1000).map(i -> i * 2_000).toArray();
        return new LatencyRow(
                MeasuredPath.BYPASS, 8388608, Percentiles.ofNanos(List.of(nanos), 2), HopState.NEAR, 0.125);
    }

    private static BandwidthRow bandwidth(double peak) {
        return bandwidth(peak, 25_000);
    }

    private static BandwidthRow bandwidth(double peak, double floor) {
        return new BandwidthRow(MeasuredPath.NATIVE, 65536, 2000, peak, 10_000, floor, 3, HopState.FAR, 0);
    }

    @Test
    void headersArePerftests() {
        assertThat(report(true, false).header())
                .isEqualTo(" #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]"
                        + "    t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec]   path");
        assertThat(report(false, false).header())
                .isEqualTo(
                        " #bytes     #iterations    BW peak[MiB/sec]    BW average[MiB/sec]   MsgRate[Mpps]   x floor "
                                + "  path");
        assertThat(report(false, true).header())
                .isEqualTo(
                        " #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]   x floor  "
                                + " path");
    }

    @Test
    void allSamplesCountAndRoundTripsAreHalved() {
        assertThat(report(true, false).line(latency()).strip().split(" +"))
                .containsExactly(
                        "8388608", "1000", "1.00", "1000.00", "500.50", "500.50", "288.67", "990.00", "999.00",
                        "bypass");
    }

    @Test
    void valuesStandBelowTheirColumns() {
        PerfReport report = report(false, false);
        String header = report.header();
        String line = report.line(bandwidth(20_000));

        assertThat(line.indexOf("1250.00")).isEqualTo(header.indexOf("BW peak"));
        assertThat(line.indexOf("625.00")).isEqualTo(header.indexOf("BW average"));
        assertThat(line.indexOf("0.010000")).isEqualTo(header.indexOf("MsgRate"));
        assertThat(line).endsWith("   native").startsWith(" 65536      2000 ");
    }

    @Test
    void gigabitsAreDecimal() {
        assertThat(report(false, true).line(bandwidth(20_000)).strip().split(" +"))
                .containsExactly("65536", "2000", "10.49", "5.24", "0.010000", "2.50", "native");
        assertThat(report(false, true).line(bandwidth(20_000, 0)).strip().split(" +"))
                .containsExactly("65536", "2000", "10.49", "5.24", "0.010000", "-", "native");
    }

    @Test
    void programsGetNumbersAndTheComputer() {
        JsonNode lat = report(true, false).object(List.of(latency()), ENVIRONMENT, "2");
        JsonNode bw = report(false, false).object(List.of(bandwidth(0)), ENVIRONMENT, "2");

        assertThat(lat.get("schema").asString()).isEqualTo("hv.lat/1");
        assertThat(lat.at("/rows/0/t_typical").asDouble()).isEqualTo(500.5);
        assertThat(lat.at("/rows/0/p9999").asDouble()).isEqualTo(1000);
        assertThat(lat.at("/kind").asString()).isEqualTo("half-rtt");
        assertThat(lat.at("/environment/commit").asString()).isEqualTo("abc");
        assertThat(bw.get("schema").asString()).isEqualTo("hv.bw/1");
        assertThat(bw.at("/rows/0/bw_peak").isNull()).isTrue();
        assertThat(bw.at("/rows/0/over_floor").asDouble()).isEqualTo(2.5);
        assertThat(bw.at("/rows/0/floor_msg_rate").asDouble()).isEqualTo(0.025);
        assertThat(bw.at("/rows/0/dropped").asInt()).isEqualTo(3);
    }

    @Test
    void bothDirectionsAreSummed() {
        String[] one = {"ok", "1000", "1000000000", "500000.0", "0"};
        String[] other = {"ok", "1000", "500000000", "0", "4"};

        BandwidthRow row = PerfRun.bandwidth(MeasuredPath.BYPASS, 64, List.of(one, other), 6000, HopState.NEAR, 0);

        assertThat(row.messages()).isEqualTo(1000);
        assertThat(row.perSecond()).isEqualTo(3000);
        assertThat(row.peakPerSecond()).isEqualTo(2000);
        assertThat(row.overFloor()).isEqualTo(2);
        assertThat(row.dropped()).isEqualTo(4);
    }
}
