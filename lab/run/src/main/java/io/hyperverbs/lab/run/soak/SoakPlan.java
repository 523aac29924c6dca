package io.hyperverbs.lab.run.soak;

import io.hyperverbs.lab.attacks.IsolationCase;
import io.hyperverbs.vmm.envelope.Promises;
import java.time.Duration;
import java.util.List;

/**
 * A soak.
 *
 * @param length of all of it
 * @param every from one fault to the next
 * @param loadPercent of what the victims make at full speed
 * @param seed of the order of faults and of the attackers' dice
 * @param attack how long an attack goes on that has no end
 * @param attacks that are drawn from
 */
public record SoakPlan(
        Duration length, Duration every, int loadPercent, long seed, Duration attack, List<IsolationCase> attacks) {
    public SoakPlan {
        attacks = List.copyOf(attacks);
    }

    /** The same, without attacks on what a machine does not promise: their harm says nothing. */
    public SoakPlan promisedBy(Promises promises) {
        return new SoakPlan(
                length,
                every,
                loadPercent,
                seed,
                attack,
                attacks.stream()
                        .filter(one -> one.promise().map(promises::keeps).orElse(true))
                        .toList());
    }
}
