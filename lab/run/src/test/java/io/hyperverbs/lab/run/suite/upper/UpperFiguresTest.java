package io.hyperverbs.lab.run.suite.upper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.lab.dsm.perf.DsmLine;
import io.hyperverbs.lab.mpi.PerfLine;
import io.hyperverbs.lab.run.bench.BenchRun;
import io.hyperverbs.lab.run.mpi.JobDomains;
import io.hyperverbs.lab.run.suite.Figure;
import io.hyperverbs.lab.run.suite.FigureCell;
import io.hyperverbs.lab.run.suite.FigureData;
import io.hyperverbs.lab.run.suite.FigureRound;
import io.hyperverbs.lab.run.suite.SuiteRig;
import io.hyperverbs.lab.run.suite.SuiteTerms;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.progress.QuietProgress;
import io.hyperverbs.launcher.topology.Guest;
import io.hyperverbs.launcher.topology.Topology;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which jobs each figure is made of, and what becomes of what they print. */
class UpperFiguresTest {
    private static final double NEAR = 60;

    private final List<String> asked = new ArrayList<>();
    private final List<Topology> topologies = new ArrayList<>();
    private String said = "";

    /** One short round, in which each job says the same. */
    private final class Rig implements SuiteRig {
        @Override
        public SuiteTerms terms() {
            return new SuiteTerms(true, 1);
        }

        @Override
        public BenchRun.Hop hop() {
            return _ -> NEAR;
        }

        @Override
        public String machineName() {
            return "made";
        }

        @Override
        public <T> T on(Topology topology, Work<T> work) throws HvException {
            topologies.add(topology);
            throw new HvException(ExitCode.FAILURE, "no machine", "");
        }

        @Override
        public <T> T jobs(JobDomains domains, JobWork<T> work) throws HvException, InterruptedException, IOException {
            return work.with(
                    (path, ranks, program, args) -> {
                        asked.add(domains.each() + " " + path + " " + ranks + " " + program + " "
                                + String.join(" ", args));
                        return said;
                    },
                    new QuietProgress());
        }
    }

    private FigureData run(Figure figure, String... lines) throws Exception {
        said = "other words\n" + String.join("\n", lines) + "\n";
        List<FigureRound> rounds = figure.run(new Rig());
        return new FigureData(figure.info(), rounds);
    }

    private static FigureCell cell(String what, long x) {
        return new FigureCell(what, x);
    }

    @Test
    void halfTripsOfMpiAreBesideThoseOfSend() throws Exception {
        FigureData found = run(
                MessagesFigure.LATENCY,
                new PerfLine(PerfLine.HALF_TRIP, 8, 2.5).text(),
                new PerfLine(PerfLine.SEND_HALF_TRIP, 8, 2).text(),
                new PerfLine(PerfLine.BARRIER, 0, 9).text());

        assertThat(asked)
                .hasSize(6)
                .startsWith("2 native 2 mpi-perf lines trips 15 8,65536", "2 bypass 2 mpi-perf lines trips 15 8,65536");
        assertThat(found.cells()).containsExactly(cell("MPI", 8), cell("SEND", 8));
        assertThat(found.series()).containsExactly("native", "bypass", "forwarded");
        assertThat(found.row(cell("MPI", 8), "forwarded").orElseThrow().value()).isEqualTo(2.5);
    }

    @Test
    void streamsOfMpiAreBesideThoseOfWrites() throws Exception {
        FigureData found = run(
                MessagesFigure.BANDWIDTH,
                new PerfLine(PerfLine.BANDWIDTH, 1 << 20, 2000).text(),
                new PerfLine(PerfLine.WRITE_BANDWIDTH, 1 << 20, 2500).text());

        assertThat(asked).hasSize(6).startsWith("2 native 2 mpi-perf lines streams 15 65536,1048576");
        assertThat(found.cells()).containsExactly(cell("MPI", 1 << 20), cell("RDMA write", 1 << 20));
    }

    @Test
    void kernelsAreCells() throws Exception {
        String rounds = IntStream.rangeClosed(1, 8)
                .mapToObj(round -> "round " + round + "  0.0" + round + "0 s")
                .collect(Collectors.joining("\n"));

        FigureData found = run(new NasFigure(), rounds);

        assertThat(asked).hasSize(5 * 3).startsWith("2 native 2 nas EP S warm").endsWith("2 forwarded 2 nas FT S warm");
        assertThat(found.whats()).containsExactly("EP", "IS", "CG", "MG", "FT");
        assertThat(found.row(cell("CG", 0), "bypass").orElseThrow().value()).isEqualTo(45);
    }

    @Test
    void contextsOfHandlingAreComparedOnAPath() throws Exception {
        FigureData found = run(
                new HandlingFigure(),
                new DsmLine(DsmLine.LOCK, "polling", 0, 10).text(),
                new DsmLine(DsmLine.LOCK, "task queue", 0, 25).text());

        assertThat(asked).containsExactly("3 bypass 3 dsm-perf lines locks");
        assertThat(found.whats()).containsExactly("bypass");
        assertThat(found.ratio(cell("bypass", 0), "task queue", "polling")
                        .orElseThrow()
                        .value())
                .isEqualTo(2.5);
    }

    @Test
    void waysOfDataAreComparedBetweenGuests() throws Exception {
        FigureData found = run(
                new TransferFigure(),
                new DsmLine(DsmLine.OWNER_FAULT, "write", 4096, 20).text(),
                new DsmLine(DsmLine.OWNER_FAULT, "send", 4096, 25).text());

        assertThat(asked).containsExactly("3 bypass 3 dsm-perf lines faults");
        assertThat(found.ratio(cell(DsmLine.OWNER_FAULT, 4096), "send", "write")
                        .orElseThrow()
                        .value())
                .isEqualTo(1.25);
    }

    @Test
    void timesOfApplicationsAreOfPathsAndTheirTrafficIsNot() throws Exception {
        String[] lines = {
            new DsmLine("sor", DsmLine.MILLIS, 4, 310).text(),
            new DsmLine("sor", DsmLine.MESSAGES, 4, 600).text(),
            new DsmLine("sor", DsmLine.KIB, 4, 50).text()
        };

        FigureData times = run(ApplicationsFigure.TIMES, lines);
        FigureData traffic = run(ApplicationsFigure.TRAFFIC, lines);

        assertThat(asked)
                .containsExactly(
                        "2 native 1 dsm lines all small",
                        "2 bypass 1 dsm lines all small",
                        "2 forwarded 1 dsm lines all small",
                        "2 native 4 dsm lines all small",
                        "2 bypass 4 dsm lines all small",
                        "2 forwarded 4 dsm lines all small",
                        "2 bypass 4 dsm lines all small");
        assertThat(times.series()).containsExactly("native", "bypass", "forwarded");
        assertThat(times.row(cell("sor", 4), "bypass").orElseThrow().value()).isEqualTo(310);
        assertThat(traffic.series()).containsExactly("messages", "KiB");
        assertThat(traffic.row(cell("sor", 4), "KiB").orElseThrow().value()).isEqualTo(50);
        assertThat(traffic.otherCores()).isZero();
    }

    @Test
    void aJobWithoutFiguresIsAFailure() {
        Stream.of(MessagesFigure.LATENCY, new NasFigure(), new HandlingFigure(), ApplicationsFigure.TIMES)
                .forEach(figure -> assertThatThrownBy(() -> run(figure, "nothing"))
                        .isInstanceOf(HvException.class)
                        .hasMessageContaining("measured nothing on the path"));
    }

    @Test
    void socketsHaveAPairOfDomainsOnEachPath() {
        assertThatThrownBy(() -> run(IpFigure.CONNECTED)).hasMessageContaining("no machine");

        Topology topology = topologies.getFirst();
        assertThat(topology.guests().stream().map(Guest::name))
                .containsExactlyInAnyOrder(
                        "native-1", "native-2", "bypass-1", "bypass-2", "forwarded-1", "forwarded-2");
        assertThat(topology.guests())
                .allMatch(guest -> guest.address().orElseThrow().connected());
    }

    @Test
    void domainsOfJobsAreNamedByTheirPath() {
        Topology topology = new JobDomains(3).topology("made", "hv");

        assertThat(topology.guests()).hasSize(9);
        assertThat(new JobDomains(2).on("bypass")).containsExactly("bypass-1", "bypass-2");
        assertThat(topology.guests().stream().filter(Guest::nativeDomain).map(Guest::name))
                .containsExactly("native-1", "native-2", "native-3");
    }
}
