package io.hyperverbs.lab.run.suite.upper;

import io.hyperverbs.lab.run.bench.BenchRun;
import io.hyperverbs.lab.run.bench.HopState;
import io.hyperverbs.lab.run.bench.OtherWork;
import io.hyperverbs.lab.run.bench.RoundOrder;
import io.hyperverbs.lab.run.suite.FigureCell;
import io.hyperverbs.lab.run.suite.FigureRound;
import io.hyperverbs.lab.run.suite.SuiteRig;
import io.hyperverbs.lab.run.suite.SuiteTerms;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.progress.Progress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;

/**
 * Rounds of measurements that are jobs: in each round one thing after the other, each on all paths in turn, with a probe of
 * the hop after each job. A cell's values of a round may come of several jobs. One thread.
 */
final class JobRounds {
    private static final int PROBE_MILLIS = 50;
    private static final int ROUNDS = 5;
    private static final int QUICK_ROUNDS = 3;

    /** A value that a job found. */
    record Value(FigureCell cell, String series, double value) {}

    /** What is measured on a path. */
    interface Job {
        List<Value> on(String path) throws HvException, IOException, InterruptedException;
    }

    /**
     * A job in each round.
     *
     * @param name for the progress
     */
    record Part(String name, Job job) {}

    /** What was found of a cell in a round, and the states meanwhile. */
    private static final class Found {
        private final Map<String, Double> values = new LinkedHashMap<>();
        private final List<HopState> states = new ArrayList<>();
        private double others;

        private void add(Value value, HopState state, double otherCores) {
            values.put(value.series(), value.value());
            states.add(state);
            others = Math.max(others, otherCores);
        }

        private FigureRound round(FigureCell cell, int round) {
            return FigureRound.of(cell, round, HopState.ofAll(states), others, values);
        }
    }

    private final List<String> paths;
    private final BenchRun.Hop hop;
    private final DoubleSupplier otherCores;
    private double lastHopNanos;

    /** @param otherCores cores that other work has used since it was asked before */
    JobRounds(List<String> paths, BenchRun.Hop hop, DoubleSupplier otherCores) {
        this.paths = List.copyOf(paths);
        this.hop = hop;
        this.otherCores = otherCores;
    }

    /** With the rig's probes. */
    static JobRounds of(SuiteRig rig, List<String> paths) {
        return new JobRounds(paths, rig.hop(), new OtherWork()::cores);
    }

    /** Rounds of jobs that take long: 5, or 3 short ones, or fewer if that is asked for. */
    static int few(SuiteTerms terms) {
        return Math.min(terms.rounds(), terms.pick(QUICK_ROUNDS, ROUNDS));
    }

    /** All parts once, for drivers to warm up; nothing of it counts. */
    JobRounds warmUp(List<Part> parts, Progress progress) throws HvException, IOException, InterruptedException {
        progress.begin("warming up", (long) parts.size() * paths.size());
        for (Part part : parts) {
            for (String path : paths) {
                List<Value> _ = part.job().on(path);
                progress.step(part.name() + ", " + path);
            }
        }
        return this;
    }

    /** So many rounds. */
    List<FigureRound> run(int count, List<Part> parts, Progress progress)
            throws HvException, IOException, InterruptedException {
        progress.begin("measuring", (long) count * parts.size() * paths.size());
        lastHopNanos = hop.measureNanos(PROBE_MILLIS);
        List<FigureRound> rounds = new ArrayList<>();
        for (int round = 0; round < count; round++) {
            Map<FigureCell, Found> found = new LinkedHashMap<>();
            for (Part part : parts) {
                for (String path : RoundOrder.of(paths, round)) {
                    measure(part, path, found);
                    progress.step(part.name() + ", " + path + ", round " + (round + 1));
                }
            }
            for (Map.Entry<FigureCell, Found> cell : found.entrySet()) {
                rounds.add(cell.getValue().round(cell.getKey(), round));
            }
        }
        return rounds;
    }

    private void measure(Part part, String path, Map<FigureCell, Found> found)
            throws HvException, IOException, InterruptedException {
        double _ = otherCores.getAsDouble();
        List<Value> values = part.job().on(path);
        double others = otherCores.getAsDouble();
        double before = lastHopNanos;
        lastHopNanos = hop.measureNanos(PROBE_MILLIS);
        HopState state = HopState.between(before, lastHopNanos);
        for (Value value : values) {
            found.computeIfAbsent(value.cell(), _ -> new Found()).add(value, state, others);
        }
    }
}
