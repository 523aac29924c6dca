package io.hyperverbs.toolstack.fairness;

import io.hyperverbs.toolstack.bench.BenchRun;
import io.hyperverbs.toolstack.bench.HopState;
import io.hyperverbs.toolstack.cli.HvException;
import io.hyperverbs.toolstack.fairness.load.Attacker;
import io.hyperverbs.toolstack.fairness.load.Victim;
import io.hyperverbs.toolstack.progress.Progress;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Runs a plan round after round. In a round each victim runs alone, then beside each attacker, then
 * alone again, so that noise of the machine hits all alike; a hop probe before and after.
 */
public final class FairnessRun {
    private static final int PROBE_MILLIS = 50;

    private final FairnessPlan plan;
    private final Guests guests;
    private final BenchRun.Hop hop;
    private final Progress progress;
    private final List<Sample> samples = new ArrayList<>();
    private double lastHopNanos;

    public FairnessRun(FairnessPlan plan, Guests guests, BenchRun.Hop hop, Progress progress) {
        this.plan = plan;
        this.guests = guests;
        this.hop = hop;
        this.progress = progress;
    }

    /** Measures all. */
    public Matrix run() throws HvException, InterruptedException {
        warmUp();
        lastHopNanos = hop.measureNanos(PROBE_MILLIS);
        progress.begin(
                "measuring",
                (long) plan.rounds() * plan.victims().size() * plan.attackers().size());
        for (int round = 0; round < plan.rounds(); round++) {
            for (Victim victim : plan.victims()) {
                group(round, victim);
            }
        }
        return new Matrix(plan, samples);
    }

    private void warmUp() throws HvException, InterruptedException {
        progress.begin("warming up", plan.victims().size() + plan.attackers().size());
        for (Victim victim : plan.victims()) {
            var _ = guests.alone(victim, plan.warmUpMillis());
            progress.step(victim.word());
        }
        for (Attacker attacker : plan.attackers()) {
            var _ = guests.beside(attacker, plan.victims().getFirst(), plan.warmUpMillis() / 4);
            progress.step(attacker.word());
        }
    }

    private void group(int round, Victim victim) throws HvException, InterruptedException {
        List<Attacker> order = new ArrayList<>(plan.attackers());
        Collections.rotate(order, -round);
        List<Guests.Beside> measured = new ArrayList<>();
        Pace before = guests.alone(victim, plan.millis());
        for (Attacker attacker : order) {
            measured.add(guests.beside(attacker, victim, plan.millis()));
            progress.step(attacker.word() + " beside " + victim.word());
        }
        Pace after = guests.alone(victim, plan.millis());
        double nowNanos = hop.measureNanos(PROBE_MILLIS);
        HopState state = HopState.between(lastHopNanos, nowNanos);
        lastHopNanos = nowNanos;
        Pace solo =
                new Pace(
                        (before.perSecond() + after.perSecond()) / 2,
                        (before.p50Nanos() + after.p50Nanos()) / 2,
                        (before.p99Nanos() + after.p99Nanos()) / 2);
        for (int i = 0; i < order.size(); i++) {
            Guests.Beside one = measured.get(i);
            samples.add(
                    new Sample(
                            round,
                            order.get(i),
                            victim,
                            state,
                            solo,
                            one.victim(),
                            one.attackerPerSecond()));
        }
    }
}
