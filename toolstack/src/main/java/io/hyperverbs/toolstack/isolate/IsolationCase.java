package io.hyperverbs.toolstack.isolate;

import io.hyperverbs.vmm.envelope.Promise;

import java.util.List;
import java.util.Optional;

/**
 * One attack.
 *
 * @param name such as {@code queues.producer-jump}
 * @param rows of the list of threats that it shows, such as {@code A4}
 * @param does what the attacker does, in one line
 * @param anchor the published bug or paper it comes from
 * @param target what it is aimed at
 * @param expected what must be seen
 * @param timed whether it names moments at which its judge measures what others get
 * @param promise what of a tier's promises it tries; where the tier does not make that one, what
 *     the attack does is not promised either
 */
public record IsolationCase(
        String name,
        List<String> rows,
        String does,
        String anchor,
        String target,
        String expected,
        Attack attack,
        boolean timed,
        Optional<Promise> promise) {

    public IsolationCase {
        rows = List.copyOf(rows);
    }

    /**
     * The same with its rows in one text.
     *
     * @param rows parted by spaces
     */
    public IsolationCase(
            String name,
            String rows,
            String does,
            String anchor,
            String target,
            String expected,
            Attack attack) {
        this(
                name,
                List.of(rows.split(" ", -1)),
                does,
                anchor,
                target,
                expected,
                attack,
                false,
                Optional.empty());
    }

    /** The same, with moments at which its judge measures. */
    public IsolationCase withMoments() {
        return new IsolationCase(name, rows, does, anchor, target, expected, attack, true, promise);
    }

    /** The same, for tiers that promise this. */
    public IsolationCase where(Promise promised) {
        return new IsolationCase(
                name, rows, does, anchor, target, expected, attack, timed, Optional.of(promised));
    }

    /** Runs in the attacker's process. */
    @FunctionalInterface
    public interface Attack {
        /**
         * Attacks.
         *
         * @return what was seen, if that is as expected
         * @throws Breach if it is not
         */
        String run(Mallory mallory) throws Exception;
    }

    /** Its rows in one text. */
    public String rowText() {
        return String.join(" ", rows);
    }

    /** First word of its name. */
    public String group() {
        return name.substring(0, name.indexOf('.'));
    }
}
