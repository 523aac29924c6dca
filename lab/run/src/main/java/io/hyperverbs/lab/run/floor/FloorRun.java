package io.hyperverbs.lab.run.floor;

import io.hyperverbs.lab.run.bench.BenchRun;
import io.hyperverbs.lab.run.bench.HopState;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.progress.Progress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;

/** Measures floors: round after round, in each all of them, hop probes between. */
public final class FloorRun {
    private static final int PROBE_MILLIS = 50;
    private static final int ITERATIONS = 5_000;
    private static final int MILLIS = 100;

    /** Compilers are done with a loop after so many turns of it. */
    private static final int FIRST_WARM_UP = 20_000;

    /** Much more code than a loop is behind a call. */
    private static final int CALL_WARM_UP_MILLIS = 3_000;

    private static final int WARM_UP = 200;

    private final FloorPlan plan;
    private final Floors floors;
    private final BenchRun.Hop hop;
    private final DoubleSupplier otherCores;
    private final Progress progress;

    /** @param otherCores cores that other work has used since it was asked before */
    public FloorRun(FloorPlan plan, Floors floors, BenchRun.Hop hop, DoubleSupplier otherCores, Progress progress) {
        this.plan = plan;
        this.floors = floors;
        this.hop = hop;
        this.otherCores = otherCores;
        this.progress = progress;
    }

    /** Measures; a first round, in which code is compiled, does not count. */
    public List<FloorRound> run() throws HvException, InterruptedException {
        List<FloorCell> cells = plan.cells();
        progress.begin("measuring floors", (plan.rounds() + 1L) * cells.size());
        for (FloorCell cell : cells) {
            boolean isCall = cell.floor() == Floor.CALL;
            var _ = floors.measure(cell, ITERATIONS, FIRST_WARM_UP, isCall ? CALL_WARM_UP_MILLIS : MILLIS);
            progress.step(cell.floor().word());
        }
        List<FloorRound> rounds = new ArrayList<>();
        double before = hop.measureNanos(PROBE_MILLIS);
        double _ = otherCores.getAsDouble();
        for (int i = 0; i < plan.rounds(); i++) {
            Map<FloorCell, long[]> nanos = round(cells);
            double other = otherCores.getAsDouble();
            double after = hop.measureNanos(PROBE_MILLIS);
            rounds.add(new FloorRound(HopState.between(before, after), (before + after) / 2, other, nanos));
            before = after;
        }
        return rounds;
    }

    private Map<FloorCell, long[]> round(List<FloorCell> cells) throws HvException, InterruptedException {
        Map<FloorCell, long[]> nanos = new LinkedHashMap<>();
        for (FloorCell cell : cells) {
            nanos.put(cell, floors.measure(cell, ITERATIONS, WARM_UP, MILLIS));
            progress.step(cell.floor().word());
        }
        return nanos;
    }
}
