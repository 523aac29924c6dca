package io.hyperverbs.lab.run.calls;

import io.hyperverbs.lab.run.bench.MeasuredRound;
import io.hyperverbs.lab.run.bench.Percentiles;
import io.hyperverbs.lab.run.bench.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What comes out of a run.
 *
 * @param groups as measured
 * @param rows in the order of cells, then of steps, then of sites
 */
public record CallResult(List<CallGroup> groups, List<CallRow> rows) {
    /** Computes rows; {@code groups}: at least one of each cell. */
    public static CallResult of(CallPlan plan, List<CallGroup> groups) {
        List<CallRow> rows = new ArrayList<>();
        for (CallCell cell : plan.cells()) {
            List<CallGroup> kept = kept(groups, cell);
            List<String> steps = cell.sequence().steps();
            for (int step = 0; step < steps.size(); step++) {
                for (CallSite site : plan.sites(cell)) {
                    rows.add(row(plan, steps.get(step), step, site, kept));
                }
            }
        }
        return new CallResult(List.copyOf(groups), List.copyOf(rows));
    }

    /** Those of a cell that count. */
    static List<CallGroup> kept(List<CallGroup> groups, CallCell cell) {
        return MeasuredRound.kept(
                groups.stream().filter(group -> group.cell().equals(cell)).toList());
    }

    private static CallRow row(CallPlan plan, String name, int step, CallSite site, List<CallGroup> kept) {
        List<long[]> samples =
                kept.stream().map(group -> group.step(site, step)).toList();
        Percentiles medians = Percentiles.of(
                kept.stream().map(group -> median(group, site, step)).toList());
        return new CallRow(
                name,
                kept.getFirst().cell(),
                site,
                Percentiles.ofNanos(samples, 1),
                kept.size(),
                medians.spread(),
                ratio(kept, step, site, plan.bench().floor()),
                site.isOfMachine() ? ratio(kept, step, site, CallSite.NATIVE) : null);
    }

    private static CallRow.@Nullable Figure ratio(List<CallGroup> kept, int step, CallSite site, CallSite over) {
        if (site == over || !kept.getFirst().nanos().containsKey(over)) {
            return null;
        }
        Percentiles ratios = Percentiles.of(kept.stream()
                .map(group -> median(group, site, step) / median(group, over, step))
                .toList());
        Standing standing = Standing.of(kept.getFirst().isGood(), kept.size(), ratios.median(), ratios.spread());
        return new CallRow.Figure(ratios.median(), ratios.spread(), standing);
    }

    private static double median(CallGroup group, CallSite site, int step) {
        return Percentiles.ofNanos(List.of(group.step(site, step)), 1).median();
    }

    /** The row of a step, if it was measured there. */
    public Optional<CallRow> row(String step, CallCell cell, CallSite site) {
        return rows.stream()
                .filter(row -> row.step().equals(step) && row.cell().equals(cell) && row.site() == site)
                .findFirst();
    }

    /** Cores that other work used in the rounds, on average. */
    double otherCores() {
        return groups.stream().mapToDouble(CallGroup::otherCores).average().orElse(0);
    }
}
