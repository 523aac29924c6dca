package io.hyperverbs.lab.run.floor;

import io.hyperverbs.lab.run.bench.BenchRun;
import io.hyperverbs.lab.run.bench.HopState;
import io.hyperverbs.lab.run.bench.WarmUp;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.progress.Progress;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleSupplier;

/** Measures floors: warms up, then round after round, in each all of them, hop probes between. */
public final class FloorRun {
    private static final int PROBE_MILLIS = 50;
    private static final int ITERATIONS = 5_000;
    private static final int MILLIS = 100;

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

    /** Measures; the rounds come in their order. */
    public List<FloorRound> run() throws HvException, InterruptedException {
        List<FloorCell> cells = plan.cells();
        progress.begin("warming up floors", cells.size());
        Set<Floor> warm = EnumSet.noneOf(Floor.class);
        for (FloorCell cell : cells) {
            // Some take so little that a chunk would be over at once: each has its time before, too.
            WarmUp.run(
                    warm.add(cell.floor()) ? WarmUp.Work.NEW : WarmUp.Work.REPEATED,
                    () -> floors.measure(cell, ITERATIONS, Integer.MAX_VALUE, WarmUp.CHUNK_MILLIS));
            progress.step(cell.floor().word());
        }
        progress.begin("measuring floors", (long) plan.rounds() * cells.size());
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
