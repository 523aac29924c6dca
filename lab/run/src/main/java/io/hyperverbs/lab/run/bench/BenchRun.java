package io.hyperverbs.lab.run.bench;

import io.hyperverbs.lab.bench.BenchVerb;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.progress.Progress;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;

/**
 * Runs a plan: warms up, then round after round, in each the paths one after another, so that noise
 * of the machine hits all alike; hop probes between. Adds rounds for those that other work or a change of
 * the hop state made worthless, as far as the time goes.
 */
public final class BenchRun {
    private static final int WARM_UP_PER_ROUND = 200;

    /** Measures a hop, in nanoseconds. */
    public interface Hop {
        double measureNanos(int millis) throws InterruptedException;
    }

    private final BenchPlan plan;
    private final Rounds rounds;
    private final Hop hop;
    private final DoubleSupplier otherCores;
    private final Progress progress;
    private final List<RoundGroup> groups = new ArrayList<>();
    private double lastHopNanos;

    /** @param otherCores cores that other work has used since it was asked before */
    public BenchRun(BenchPlan plan, Rounds rounds, Hop hop, DoubleSupplier otherCores, Progress progress) {
        this.plan = plan;
        this.rounds = rounds;
        this.hop = hop;
        this.otherCores = otherCores;
        this.progress = progress;
    }

    /** Measures; the groups come in the order in which they ran. */
    public List<RoundGroup> run() throws HvException, InterruptedException {
        long endNanos = System.nanoTime() + plan.budgetMillis() * 1_000_000L;
        warmUp();
        lastHopNanos = hop.measureNanos(plan.probeMillis());
        double _ = otherCores.getAsDouble();
        progress.begin("measuring", steps(plan.verbs()));
        for (int round = 0; round < plan.rounds(); round++) {
            for (BenchVerb verb : plan.verbs()) {
                group(round, verb);
            }
        }
        addRounds(endNanos);
        return groups;
    }

    private void warmUp() throws HvException, InterruptedException {
        progress.begin("warming up", (long) plan.cells().size() * plan.paths().size());
        for (MeasuredPath path : plan.paths()) {
            for (BenchVerb verb : plan.verbs()) {
                warmUp(path, plan.cells(verb));
            }
        }
    }

    private void warmUp(MeasuredPath path, List<Cell> cells) throws HvException, InterruptedException {
        Cell first = cells.getFirst();
        for (Cell cell : cells) {
            WarmUp.run(
                    cell.equals(first) ? WarmUp.Work.NEW : WarmUp.Work.REPEATED,
                    () -> rounds.run(path, cell, plan.iterations(), 0, WarmUp.CHUNK_MILLIS));
            progress.step(path.word() + " " + cell.verb().word() + " " + cell.sizeBytes() + " B");
        }
    }

    private void group(int round, BenchVerb verb) throws HvException, InterruptedException {
        long beganMillis = System.currentTimeMillis();
        Map<Cell, Map<MeasuredPath, long[]>> measured = new LinkedHashMap<>();
        List<MeasuredPath> order = RoundOrder.of(plan.paths(), round);
        for (Cell cell : plan.cells(verb)) {
            Map<MeasuredPath, long[]> samples = new EnumMap<>(MeasuredPath.class);
            for (MeasuredPath path : order) {
                samples.put(
                        path,
                        rounds.run(
                                path,
                                cell,
                                plan.iterations(),
                                Math.min(WARM_UP_PER_ROUND, plan.iterations() / 10),
                                plan.roundMillis()));
                progress.step(verb.word() + " " + cell.sizeBytes() + " B " + path.word());
            }
            measured.put(cell, samples);
        }
        long endedMillis = System.currentTimeMillis();
        double before = lastHopNanos;
        double others = otherCores.getAsDouble();
        double after = hop.measureNanos(plan.probeMillis());
        HopState state = HopState.between(before, after);
        // A probe that found nothing out leaves the one before it to be compared with.
        lastHopNanos = HopState.of(after) == HopState.SHARED ? before : after;
        double known = HopState.of(before) == HopState.SHARED ? after : before;
        measured.forEach((cell, samples) -> groups.add(new RoundGroup(
                round, cell, state, (known + lastHopNanos) / 2, others, beganMillis, endedMillis, samples)));
    }

    /** While a cell of a verb has too few good rounds, or a ratio that is no result, and there is time. */
    private void addRounds(long endNanos) throws HvException, InterruptedException {
        // Of a verb that wants none now there will be none: its rounds stay as they are.
        List<BenchVerb> wanting = plan.verbs().stream().filter(this::wantsMore).toList();
        if (wanting.isEmpty() || System.nanoTime() - endNanos >= 0) {
            return;
        }
        progress.begin("adding rounds", steps(wanting));
        for (int round = plan.rounds(); round < 2 * plan.rounds(); round++) {
            for (BenchVerb verb : wanting) {
                if (wantsMore(verb) && System.nanoTime() - endNanos < 0) {
                    group(round, verb);
                }
            }
        }
    }

    /** Of all rounds of these verbs, as many as the plan has. */
    private long steps(List<BenchVerb> verbs) {
        long cells = verbs.stream().mapToLong(verb -> plan.cells(verb).size()).sum();
        return plan.rounds() * cells * plan.paths().size();
    }

    private boolean wantsMore(BenchVerb verb) {
        return plan.cells(verb).stream().anyMatch(this::wantsMore);
    }

    private boolean wantsMore(Cell cell) {
        int least = Math.min(BenchPlan.LEAST_ROUNDS, plan.rounds());
        List<RoundGroup> kept = BenchResult.kept(groups, cell);
        return kept.size() < least
                || !kept.getFirst().isGood()
                || BenchResult.ratios(groups, cell).stream().anyMatch(ratio -> !ratio.isResult());
    }
}
