package io.hyperverbs.lab.run.fairness;

import io.hyperverbs.lab.attacks.load.Attacker;
import io.hyperverbs.lab.attacks.load.Victim;
import java.util.List;

/**
 * What to measure and how long.
 *
 * @param millis of each measurement of a victim
 * @param warmUpMillis of each kind before the first round
 */
public record FairnessPlan(List<Attacker> attackers, List<Victim> victims, int rounds, int millis, int warmUpMillis) {
    public FairnessPlan {
        attackers = List.copyOf(attackers);
        victims = List.copyOf(victims);
    }

    /** All cells, 5 rounds. */
    public static FairnessPlan full() {
        return new FairnessPlan(List.of(Attacker.values()), List.of(Victim.values()), 5, 500, 600);
    }

    /** All cells, 3 short rounds. */
    public static FairnessPlan quick() {
        return new FairnessPlan(List.of(Attacker.values()), List.of(Victim.values()), 3, 60, 300);
    }

    public FairnessPlan with(List<Attacker> chosen, List<Victim> beside) {
        return new FairnessPlan(chosen, beside, rounds, millis, warmUpMillis);
    }

    public FairnessPlan withRounds(int changed) {
        return new FairnessPlan(attackers, victims, changed, millis, warmUpMillis);
    }
}
