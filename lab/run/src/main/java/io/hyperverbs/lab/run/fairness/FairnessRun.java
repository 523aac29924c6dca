package io.hyperverbs.lab.run.fairness;

import io.hyperverbs.lab.attacks.load.Attacker;
import io.hyperverbs.lab.attacks.load.Victim;
import io.hyperverbs.lab.run.bench.BenchRun;
import io.hyperverbs.lab.run.bench.HopState;
import io.hyperverbs.lab.run.bench.RoundOrder;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.progress.Progress;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs a plan round after round. In a round each victim runs alone and beside an attacker in turn,
 * so that noise of the machine hits both alike; hop probes between.
 */
public final class FairnessRun {
    private static final int PROBE_MILLIS = 50;

    private static final int STEADY = 2;
    private static final double FASTER = 1.1;
    private static final int MOST_WARM_UPS = 8;
    private static final int MOST_TRIES = 3;

    private record Alone(LoadPace pace, double hopNanos) {}

    /** Runs something; returns how fast it was. */
    @FunctionalInterface
    private interface Pace {
        double perSecond() throws HvException, InterruptedException;
    }

    private final FairnessPlan plan;
    private final Guests guests;
    private final BenchRun.Hop hop;
    private final Progress progress;
    private final List<Sample> samples = new ArrayList<>();

    public FairnessRun(FairnessPlan plan, Guests guests, BenchRun.Hop hop, Progress progress) {
        this.plan = plan;
        this.guests = guests;
        this.hop = hop;
        this.progress = progress;
    }

    /** Measures all. */
    public Matrix run() throws HvException, InterruptedException {
        warmUp();
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

    // A compiler at work takes the processor of whoever is measured, for seconds: each victim runs
    // until it is no faster than before, and each attacker; then a whole round is not counted.
    private void warmUp() throws HvException, InterruptedException {
        int victims = plan.victims().size();
        int attackers = plan.attackers().size();
        progress.begin("warming up", victims + attackers + (long) victims * attackers);
        for (Victim victim : plan.victims()) {
            untilNoFaster(() -> guests.alone(victim, plan.warmUpMillis()).perSecond());
            progress.step(victim.word());
        }
        Victim first = plan.victims().getFirst();
        for (Attacker attacker : plan.attackers()) {
            untilNoFaster(
                    () -> guests.beside(attacker, first, plan.warmUpMillis()).attackerPerSecond());
            progress.step(attacker.word());
        }
        for (Victim victim : plan.victims()) {
            for (Attacker attacker : plan.attackers()) {
                var _ = guests.beside(attacker, victim, plan.millis());
                progress.step(attacker.word() + " beside " + victim.word());
            }
        }
    }

    private static void untilNoFaster(Pace pace) throws HvException, InterruptedException {
        double best = 0;
        int steady = 0;
        for (int i = 0; i < MOST_WARM_UPS && steady < STEADY; i++) {
            double now = pace.perSecond();
            steady = now < FASTER * best ? steady + 1 : 0;
            best = Math.max(best, now);
        }
    }

    private void group(int round, Victim victim) throws HvException, InterruptedException {
        List<Attacker> order = RoundOrder.of(plan.attackers(), round);
        Alone before = alone(victim);
        for (Attacker attacker : order) {
            Sample sample;
            int tries = 0;
            do {
                Guests.Beside measured = guests.beside(attacker, victim, plan.millis());
                double hopNanos = hop.measureNanos(PROBE_MILLIS);
                Alone after = alone(victim);
                sample = new Sample(
                        round,
                        attacker,
                        victim,
                        HopState.between(before.hopNanos(), hopNanos, after.hopNanos()),
                        mean(before.pace(), after.pace()),
                        measured.victim(),
                        measured.attackerPerSecond());
                before = after;
                tries++;
                // Cores that moved apart meanwhile compare nothing.
            } while (sample.hop() == HopState.MIXED && tries < MOST_TRIES);
            samples.add(sample);
            progress.step(attacker.word() + " beside " + victim.word());
        }
    }

    private Alone alone(Victim victim) throws HvException, InterruptedException {
        return new Alone(guests.alone(victim, plan.millis()), hop.measureNanos(PROBE_MILLIS));
    }

    private static LoadPace mean(LoadPace a, LoadPace b) {
        return new LoadPace(
                (a.perSecond() + b.perSecond()) / 2,
                (a.p50Nanos() + b.p50Nanos()) / 2,
                (a.p99Nanos() + b.p99Nanos()) / 2);
    }
}
