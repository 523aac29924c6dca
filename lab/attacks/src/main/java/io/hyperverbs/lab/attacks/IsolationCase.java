package io.hyperverbs.lab.attacks;

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
 * @param timing whether and how its judge measures what others get
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
        Timing timing,
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
            String name, String rows, String does, String anchor, String target, String expected, Attack attack) {
        this(name, List.of(rows.split(" ", -1)), does, anchor, target, expected, attack, Timing.NONE, Optional.empty());
    }

    /** The same; it names {@link MeasurePoint}s, at which its judge measures. */
    public IsolationCase withMoments(Timing measured) {
        return new IsolationCase(name, rows, does, anchor, target, expected, attack, measured, promise);
    }

    /** Whether it names moments at which its judge measures. */
    public boolean timed() {
        return timing != Timing.NONE;
    }

    /** The same, for tiers that promise this. */
    public IsolationCase where(Promise promised) {
        return new IsolationCase(name, rows, does, anchor, target, expected, attack, timing, Optional.of(promised));
    }

    /** What is measured of others meanwhile. */
    public enum Timing {
        /** Nothing. */
        NONE,
        /** Medians, and 99th percentiles in long runs. */
        PERCENTILES,
        /**
         * Medians alone, of an attacker that computes: others share a core with it, some of what
         * they do waits for its turn, and percentiles show how long the kernel's turns are.
         */
        MEDIANS
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
        String run(AttackContext context) throws Exception;
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
