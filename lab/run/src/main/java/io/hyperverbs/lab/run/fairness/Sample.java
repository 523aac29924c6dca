package io.hyperverbs.lab.run.fairness;

import io.hyperverbs.lab.attacks.load.Attacker;
import io.hyperverbs.lab.attacks.load.Victim;
import io.hyperverbs.lab.run.bench.HopState;

/**
 * One round of one cell.
 *
 * @param solo the victim alone, just before and just after
 * @param beside the victim beside the attacker
 * @param attackerPerSecond steps of the attacker meanwhile
 */
public record Sample(
        int round,
        Attacker attacker,
        Victim victim,
        HopState hop,
        LoadPace solo,
        LoadPace beside,
        double attackerPerSecond) {
    /** Of two domains of one weight each has half of what it would have alone. */
    public double share() {
        return beside.perSecond() / (solo.perSecond() / 2);
    }

    /** How much longer the slow ones take than alone. */
    public double tail() {
        return (double) beside.p99Nanos() / Math.max(1, solo.p99Nanos());
    }
}
