package io.hyperverbs.lab.run.calls;

import io.hyperverbs.lab.bench.CallSequence;
import io.hyperverbs.lab.run.bench.BenchRun;
import io.hyperverbs.lab.run.bench.HopState;
import io.hyperverbs.lab.run.bench.RoundOrder;
import io.hyperverbs.lab.run.bench.WarmUp;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.progress.Progress;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleSupplier;

/**
 * Runs a plan: warms up, then round after round, in each the sites of a cell one after another, beginning with the next
 * one each time, hop probes between.
 */
public final class CallRun {
    private static final int PROBE_MILLIS = 50;

    private final CallPlan plan;
    private final CallSites sites;
    private final BenchRun.Hop hop;
    private final DoubleSupplier otherCores;
    private final Progress progress;

    /** @param otherCores cores that other work has used since it was asked before */
    public CallRun(CallPlan plan, CallSites sites, BenchRun.Hop hop, DoubleSupplier otherCores, Progress progress) {
        this.plan = plan;
        this.sites = sites;
        this.hop = hop;
        this.otherCores = otherCores;
        this.progress = progress;
    }

    /** Measures; the groups come in the order in which they ran. */
    public List<CallGroup> run() throws HvException, InterruptedException {
        List<CallCell> cells = plan.cells();
        progress.begin("warming up", cells.size());
        Set<List<Object>> warm = new HashSet<>();
        for (CallCell cell : cells) {
            warmUp(cell, warm);
            progress.step(cell.words());
        }
        progress.begin("measuring", cells.stream().mapToLong(plan::rounds).sum());
        List<CallGroup> groups = new ArrayList<>();
        double before = hop.measureNanos(PROBE_MILLIS);
        double _ = otherCores.getAsDouble();
        for (int round = 0; round < plan.rounds(); round++) {
            Map<CallCell, Map<CallSite, long[]>> measured = new LinkedHashMap<>();
            for (CallCell cell : cells) {
                if (round < plan.rounds(cell)) {
                    measured.put(cell, measure(cell, round));
                    progress.step(cell.words());
                }
            }
            double other = otherCores.getAsDouble();
            double after = hop.measureNanos(PROBE_MILLIS);
            HopState state = HopState.between(before, after);
            for (Map.Entry<CallCell, Map<CallSite, long[]>> one : measured.entrySet()) {
                groups.add(new CallGroup(round, one.getKey(), state, (before + after) / 2, other, one.getValue()));
            }
            before = after;
        }
        return groups;
    }

    /** {@code warm}: sites and what has run there; a floor is the same beside each sequence. */
    private void warmUp(CallCell cell, Set<List<Object>> warm) throws HvException, InterruptedException {
        for (CallSite site : plan.sites(cell)) {
            // What is warm has no first verbs.
            if (cell.sequence() != CallSequence.FIRST || !site.isOfMachine()) {
                CallTerms terms = plan.warmUp(cell, site, WarmUp.CHUNK_MILLIS);
                boolean isNew = warm.add(site.isOfMachine() ? List.of(site, cell.sequence()) : List.of(site));
                WarmUp.run(isNew ? WarmUp.Work.NEW_CALLS : WarmUp.Work.REPEATED, () -> sites.run(site, cell, 0, terms));
            }
        }
    }

    private Map<CallSite, long[]> measure(CallCell cell, int round) throws HvException, InterruptedException {
        List<CallSite> order = RoundOrder.of(plan.sites(cell), round);
        Map<CallSite, long[]> nanos = new EnumMap<>(CallSite.class);
        for (CallSite site : order) {
            nanos.put(site, sites.run(site, cell, round, plan.terms(cell, site)));
        }
        return nanos;
    }
}
