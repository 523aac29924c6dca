package io.hyperverbs.lab.run.fairness;

import io.hyperverbs.lab.attacks.load.Attacker;
import io.hyperverbs.lab.attacks.load.Victim;
import io.hyperverbs.lab.run.bench.HopState;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** What comes out of a run: for each attacker and victim the medians over the rounds. */
public record Matrix(FairnessPlan plan, List<Sample> samples) {
    /** Below this much of its fair share a victim has been wronged. */
    public static final double LEAST_SHARE = 0.8;

    public Matrix {
        samples = List.copyOf(samples);
    }

    /**
     * One attacker beside one victim.
     *
     * @param share of the victim's fair share, median
     * @param tail p99 over the p99 alone, median
     * @param lowest share of any round
     */
    public record Cell(
            Attacker attacker,
            Victim victim,
            double share,
            double tail,
            double lowest,
            double soloPerSecond,
            double perSecond,
            double soloP99Micros,
            double p99Micros,
            double attackerPerSecond,
            int rounds) {
        /** Whether the victim got what it is due. */
        public boolean isFair() {
            return share >= LEAST_SHARE;
        }
    }

    /** The cells that were measured, attacker by attacker. */
    public List<Cell> cells() {
        return plan.attackers().stream()
                .flatMap(attacker -> plan.victims().stream().map(victim -> cell(attacker, victim)))
                .filter(cell -> cell.rounds() > 0)
                .toList();
    }

    /** The cell of that attacker and victim; no rounds if it was not measured. */
    public Cell cell(Attacker attacker, Victim victim) {
        List<Sample> all = samples.stream()
                .filter(s -> s.attacker() == attacker && s.victim() == victim)
                .toList();
        // A round in which the cores moved apart compares nothing; without others it has to do.
        List<Sample> still = all.stream().filter(s -> s.hop() != HopState.MIXED).toList();
        List<Sample> kept = still.isEmpty() ? all : still;
        return new Cell(
                attacker,
                victim,
                median(kept, Sample::share),
                median(kept, Sample::tail),
                kept.stream().mapToDouble(Sample::share).min().orElse(0),
                median(kept, s -> s.solo().perSecond()),
                median(kept, s -> s.beside().perSecond()),
                median(kept, s -> s.solo().p99Nanos() / 1e3),
                median(kept, s -> s.beside().p99Nanos() / 1e3),
                median(kept, Sample::attackerPerSecond),
                kept.size());
    }

    /** Whether each victim got what it is due of each attacker. */
    public boolean isFair() {
        return cells().stream().allMatch(Cell::isFair);
    }

    private static double median(List<Sample> samples, ToDoubleFunction<Sample> of) {
        double[] values = samples.stream().mapToDouble(of).sorted().toArray();
        int count = values.length;
        if (count == 0) {
            return 0;
        }
        double[] middle = Arrays.copyOfRange(values, (count - 1) / 2, count / 2 + 1);
        return Arrays.stream(middle).average().orElseThrow();
    }
}
