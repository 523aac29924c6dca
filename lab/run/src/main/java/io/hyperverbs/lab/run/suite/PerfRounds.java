package io.hyperverbs.lab.run.suite;

import io.hyperverbs.lab.bench.BenchVerb;
import io.hyperverbs.lab.bench.perf.PerfFlag;
import io.hyperverbs.lab.bench.perf.PerfQueues;
import io.hyperverbs.lab.run.bench.HopProbe;
import io.hyperverbs.lab.run.bench.HopState;
import io.hyperverbs.lab.run.bench.MeasuredPath;
import io.hyperverbs.lab.run.bench.OtherWork;
import io.hyperverbs.lab.run.bench.RoundOrder;
import io.hyperverbs.lab.run.bench.StoreCommands;
import io.hyperverbs.lab.run.perf.BandwidthRow;
import io.hyperverbs.lab.run.perf.LatencyRow;
import io.hyperverbs.lab.run.perf.PerfPlan;
import io.hyperverbs.lab.run.perf.PerfRow;
import io.hyperverbs.lab.run.perf.PerfRun;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.progress.Progress;
import io.hyperverbs.verbs.QpType;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** Rows of {@code hv bench lat} and {@code bw} in turn: round after round, cell after cell, in each all paths. */
final class PerfRounds {
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final int DEPTH = 128;
    private static final int MODERATION = 100;
    private static final int PLAIN_SIZE_BYTES = 8192;

    /**
     * A cell and how its rows are measured.
     *
     * @param batch sends posted by one doorbell
     * @param messages of a row, on all queue pairs together, on paths that bypass; a forwarded one has a tenth of them
     */
    record Load(FigureCell cell, BenchVerb verb, int sizeBytes, int queuePairs, int batch, int messages) {
        PerfPlan plan(MeasuredPath path, boolean latency) {
            int all = path == MeasuredPath.FORWARDED ? messages / 10 : messages;
            int each = Math.max(PerfPlan.LEAST_ITERATIONS, all / queuePairs);
            int depth = latency ? 1 : Math.max(batch, Math.max(1, DEPTH / queuePairs));
            int moderation = latency || batch > 1 ? batch : sizeBytes > PLAIN_SIZE_BYTES ? 1 : MODERATION;
            return new PerfPlan(
                    latency,
                    verb,
                    QpType.RC,
                    List.of(sizeBytes),
                    List.of(path),
                    each,
                    0,
                    new PerfQueues(
                            queuePairs,
                            depth,
                            PerfPlan.RX_DEPTH / Math.min(queuePairs, 4),
                            batch,
                            Math.min(moderation, depth),
                            0),
                    latency ? Set.of(PerfFlag.EVENTS) : Set.of(PerfFlag.NO_PEAK),
                    false);
        }
    }

    private final List<Load> loads;
    private final boolean blocking;
    private final ToDoubleFunction<BandwidthRow> value;

    private PerfRounds(List<Load> loads, boolean blocking, ToDoubleFunction<BandwidthRow> value) {
        this.loads = loads;
        this.blocking = blocking;
        this.value = value;
    }

    /** Streams of messages; {@code value} is what the figure shows of a row. */
    static PerfRounds streams(List<Load> loads, ToDoubleFunction<BandwidthRow> value) {
        return new PerfRounds(loads, false, value);
    }

    /** One message in flight, of programs that sleep until the event of the completion; medians in microseconds. */
    static PerfRounds blocking(List<Load> loads) {
        return new PerfRounds(loads, true, BandwidthRow::perSecond);
    }

    List<FigureRound> run(SuiteRig rig) throws HvException, InterruptedException, IOException {
        return rig.on(PerfRun.topology(SuitePaths.ALL, rig.machineName()), (machine, progress) -> {
            StoreCommands commands = new StoreCommands(machine.client(), PATIENCE);
            commands.awaitReady(SuitePaths.ALL);
            PerfRun run = new PerfRun(commands, HopProbe::measureNanos, new OtherWork()::cores, null);
            List<FigureRound> rounds = rounds(run, rig.terms().rounds(), progress);
            commands.end(SuitePaths.ALL);
            return rounds;
        });
    }

    private List<FigureRound> rounds(PerfRun run, int count, Progress progress)
            throws HvException, InterruptedException {
        List<FigureRound> rounds = new ArrayList<>();
        progress.begin("measuring", (long) count * loads.size());
        for (int round = 0; round < count; round++) {
            for (Load load : loads) {
                rounds.add(round(run, load, round));
                progress.step(load.cell().what() + " " + load.cell().x());
            }
        }
        return rounds;
    }

    private FigureRound round(PerfRun run, Load load, int round) throws HvException, InterruptedException {
        List<MeasuredPath> order = RoundOrder.of(SuitePaths.ALL, round);
        Map<MeasuredPath, PerfRow> rows = new LinkedHashMap<>();
        for (MeasuredPath path : order) {
            rows.put(path, run.row(load.plan(path, blocking), path, load.sizeBytes()));
        }
        HopState hop = HopState.ofAll(rows.values().stream().map(PerfRow::hop).toList());
        double others =
                rows.values().stream().mapToDouble(PerfRow::otherCores).max().orElse(0);
        Map<String, Double> values = new LinkedHashMap<>();
        for (MeasuredPath path : SuitePaths.ALL) {
            switch (rows.get(path)) {
                case LatencyRow latency ->
                    values.put(path.word(), latency.times().median());
                case BandwidthRow bandwidth -> values.put(path.word(), value.applyAsDouble(bandwidth));
                case null -> throw new IllegalStateException("no row of " + path);
            }
        }
        return FigureRound.of(load.cell(), round, hop, others, values);
    }
}
