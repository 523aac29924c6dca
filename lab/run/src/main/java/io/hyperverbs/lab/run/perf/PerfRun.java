package io.hyperverbs.lab.run.perf;

import io.hyperverbs.lab.bench.perf.PerfProgram;
import io.hyperverbs.lab.bench.perf.PerfRound;
import io.hyperverbs.lab.run.bench.BenchRun;
import io.hyperverbs.lab.run.bench.BenchTopology;
import io.hyperverbs.lab.run.bench.HopState;
import io.hyperverbs.lab.run.bench.MeasuredPath;
import io.hyperverbs.lab.run.bench.Percentiles;
import io.hyperverbs.lab.run.bench.StoreCommands;
import io.hyperverbs.lab.run.bench.WarmUp;
import io.hyperverbs.lab.run.floor.FloorCell;
import io.hyperverbs.lab.run.floor.Floors;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.progress.Progress;
import io.hyperverbs.launcher.topology.Guest;
import io.hyperverbs.launcher.topology.Topology;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/** Measures rows in a machine whose domains run {@link PerfProgram}; one at a time, between two hop probes. */
public final class PerfRun {
    private static final int PROBE_MILLIS = 50;
    private static final int FLOOR_MILLIS = 100;
    private static final double NANOS = 1e9;

    private final StoreCommands commands;
    private final BenchRun.Hop hop;
    private final DoubleSupplier otherCores;
    private final @Nullable Floors floors;
    private int session;
    private double lastHopNanos;

    /**
     * @param otherCores cores that other work has used since it was asked before
     * @param floors where the floor of a row is measured, if it has one; null if nobody asks for floors
     */
    public PerfRun(StoreCommands commands, BenchRun.Hop hop, DoubleSupplier otherCores, @Nullable Floors floors) {
        this.floors = floors;
        this.commands = commands;
        this.hop = hop;
        this.otherCores = otherCores;
    }

    /** The machine: a pair of guests, and a pair of native domains, as far as the paths need them. */
    public static Topology topology(List<MeasuredPath> paths, String name) {
        return BenchTopology.of(
                paths, name, (peer, opened) -> new Guest.App(PerfProgram.class.getName(), List.of(peer)));
    }

    /** Does short rows of each path, of the first size, until they are no faster. */
    public void warmUp(PerfPlan plan, Progress progress) throws HvException, InterruptedException {
        PerfPlan shorter = plan.warmUp();
        int sizeBytes = plan.sizesBytes().getFirst();
        progress.begin("warming up", plan.paths().size());
        for (MeasuredPath path : plan.paths()) {
            WarmUp.run(
                    WarmUp.Work.NEW,
                    () -> plan.latency()
                            ? samples(shorter, path, sizeBytes)
                            : new long[] {
                                nanosOfAThousand(sides(shorter, path, sizeBytes).getFirst())
                            });
            progress.step(path.word());
        }
    }

    private static long nanosOfAThousand(String[] side) {
        return Long.parseLong(side[2]) * 1000 / Long.parseLong(side[1]);
    }

    /** Measures one size on one path. */
    public PerfRow row(PerfPlan plan, MeasuredPath path, int sizeBytes) throws HvException, InterruptedException {
        if (lastHopNanos == 0) {
            lastHopNanos = hop.measureNanos(PROBE_MILLIS);
        }
        double _ = otherCores.getAsDouble();
        return plan.latency() ? latency(plan, path, sizeBytes) : bandwidth(plan, path, sizeBytes);
    }

    private LatencyRow latency(PerfPlan plan, MeasuredPath path, int sizeBytes)
            throws HvException, InterruptedException {
        Percentiles times = Percentiles.ofNanos(List.of(samples(plan, path, sizeBytes)), plan.divisor());
        double others = otherCores.getAsDouble();
        return new LatencyRow(path, sizeBytes, times, hopState(), others);
    }

    private BandwidthRow bandwidth(PerfPlan plan, MeasuredPath path, int sizeBytes)
            throws HvException, InterruptedException {
        List<String[]> sides = sides(plan, path, sizeBytes);
        double others = otherCores.getAsDouble();
        double floor = floorPerSecond(plan, sizeBytes);
        return bandwidth(path, sizeBytes, sides, floor, hopState(), others);
    }

    private long[] samples(PerfPlan plan, MeasuredPath path, int sizeBytes) throws HvException {
        return round(plan, path, sizeBytes, () -> {
            long[] nanos = commands.samples(path.active());
            String[] _ = commands.answer(path.passive());
            return nanos;
        });
    }

    /** The words of the active side and of the passive one. */
    private List<String[]> sides(PerfPlan plan, MeasuredPath path, int sizeBytes) throws HvException {
        return round(
                plan, path, sizeBytes, () -> List.of(commands.answer(path.active()), commands.answer(path.passive())));
    }

    @FunctionalInterface
    private interface Answers<T> {
        T read() throws HvException;
    }

    private <T> T round(PerfPlan plan, MeasuredPath path, int sizeBytes, Answers<T> answers) throws HvException {
        PerfRound round = plan.round(++session, path, sizeBytes);
        commands.give(path.passive(), round.side(false).format());
        commands.give(path.active(), round.format());
        try {
            return answers.read();
        } catch (HvException e) {
            // The peer may still read what the failed side wrote, which the next row takes away.
            String _ = commands.awaitAnswer(path.passive());
            throw e;
        }
    }

    private double floorPerSecond(PerfPlan plan, int sizeBytes) throws HvException, InterruptedException {
        Optional<FloorCell> cell = plan.floor(sizeBytes);
        if (floors == null || cell.isEmpty()) {
            return 0;
        }
        long[] nanos = floors.measure(cell.get(), 1, 1, FLOOR_MILLIS);
        return 1e6
                / Percentiles.ofNanos(List.of(nanos), cell.get().floor().divisor())
                        .median();
    }

    private HopState hopState() throws InterruptedException {
        double before = lastHopNanos;
        lastHopNanos = hop.measureNanos(PROBE_MILLIS);
        return HopState.between(before, lastHopNanos);
    }

    /** Sums the rates of the sides that sent; each says {@code ok <messages> <nanos> <peak nanos a message> <dropped>}. */
    static BandwidthRow bandwidth(
            MeasuredPath path, int sizeBytes, List<String[]> sides, double floor, HopState hop, double otherCores) {
        double peak = 0;
        double average = 0;
        long dropped = 0;
        for (String[] side : sides) {
            long sent = Long.parseLong(side[1]);
            double peakNanos = Double.parseDouble(side[3]);
            average += sent == 0 ? 0 : sent * NANOS / Long.parseLong(side[2]);
            peak += peakNanos == 0 ? 0 : NANOS / peakNanos;
            dropped += Long.parseLong(side[4]);
        }
        return new BandwidthRow(
                path, sizeBytes, Long.parseLong(sides.getFirst()[1]), peak, average, floor, dropped, hop, otherCores);
    }
}
