package io.hyperverbs.lab.run.soak;

import io.hyperverbs.lab.run.isolate.IsolationResult.Verdict;
import io.hyperverbs.launcher.failure.HvException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The course of a soak: the victims find their peak; each kind of fault is made once, so that what
 * is loaded and started at its first time is there; what the trusted processes hold is noted. Then
 * a fault every few seconds until the time is over or one was a breach, and the comparison.
 */
public final class SoakRun {
    private static final long SETTLED_NANOS = 60_000_000_000L;
    private static final long LOOK_NANOS = 200_000_000;

    private final SoakPlan plan;
    private final Ground ground;
    private final Consumer<FaultResult> each;
    private final List<FaultResult> results = new ArrayList<>();

    /**
     * @param each hears of every fault at once
     */
    public SoakRun(SoakPlan plan, Ground ground, Consumer<FaultResult> each) {
        this.plan = plan;
        this.ground = ground;
        this.each = each;
    }

    /** How many faults there are in so much time, and those before it. */
    public static int faults(SoakPlan plan) {
        return FaultDeck.ROW + Math.toIntExact(plan.length().dividedBy(plan.every()));
    }

    /** Runs all of it. */
    public SoakResult run() throws HvException, InterruptedException {
        long peak = ground.peakPerSecond();
        FaultDeck deck = new FaultDeck(plan.attacks(), plan.seed());
        long first = ground.nanoTime();
        boolean well = true;
        for (int i = 0; well && i < FaultDeck.ROW; i++) {
            well = make(deck.next(), first);
        }
        List<Holding> before = ground.holdings();

        long begin = ground.nanoTime();
        long roundsBefore = ground.rounds();
        for (int i = FaultDeck.ROW; well && i < faults(plan); i++) {
            ground.awaitNanos(begin + plan.every().toNanos() * (i - FaultDeck.ROW));
            well = make(deck.next(), first);
        }
        if (well) {
            ground.awaitNanos(begin + plan.length().toNanos());
        }
        long rounds = ground.rounds() - roundsBefore;
        long had = Math.round(1e9 * rounds / Math.max(1, ground.nanoTime() - begin));

        return new SoakResult(
                results,
                peak,
                peak * plan.loadPercent() / 100,
                had,
                before,
                well ? settled(before) : ground.holdings());
    }

    /** False after a breach: what comes after one says nothing. */
    private boolean make(SoakFault fault, long first) throws HvException, InterruptedException {
        int number = results.size() + 1;
        long at = (ground.nanoTime() - first) / 1_000_000;
        Ground.Outcome outcome = ground.make(fault, plan.seed() + number);
        FaultResult result =
                new FaultResult(number, at, fault.word(), outcome.millis(), outcome.verdict(), outcome.observed());
        results.add(result);
        each.accept(result);
        return outcome.verdict() != Verdict.BREACH;
    }

    /** The threads and sockets of the last guest may take a moment to end. */
    private List<Holding> settled(List<Holding> before) throws HvException, InterruptedException {
        long deadline = ground.nanoTime() + SETTLED_NANOS;
        while (true) {
            List<Holding> now = ground.holdings();
            boolean same = true;
            for (int i = 0; i < now.size(); i++) {
                same &= now.get(i).countsAs(before.get(i));
            }
            if (same || ground.nanoTime() - deadline >= 0) {
                return now;
            }
            ground.awaitNanos(ground.nanoTime() + LOOK_NANOS);
        }
    }
}
