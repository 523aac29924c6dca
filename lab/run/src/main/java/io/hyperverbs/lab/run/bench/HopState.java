package io.hyperverbs.lab.run.bench;

import java.util.Collection;
import java.util.Locale;

/**
 * How far apart the two cores were while something was measured. A host may move virtual cores at
 * any time, and whatever crosses cores then becomes slower by a factor; so only rounds of one state
 * are compared.
 */
public enum HopState {
    /** A cache line goes over in up to {@link #FAR_FROM_NANOS}: a shared cache. */
    NEAR,
    FAR,
    /** Not known: other work kept both parties on one core. */
    SHARED,
    /** Before and after differ: the round counts for nothing. */
    MIXED;

    /** Between the 45-60 ns of cores that share a cache and the 160-290 ns of others. */
    static final double FAR_FROM_NANOS = 110;

    /** No cache line takes so long; the scheduler does. */
    static final double SHARED_FROM_NANOS = 2_000;

    /** What crosses cores changes by 2.5 to 10 times with the state, so this is a change of it. */
    static final double CHANGE_FACTOR = 2.5;

    /** The state of one probe. */
    public static HopState of(double hopNanos) {
        if (hopNanos >= SHARED_FROM_NANOS) {
            return SHARED;
        }
        return hopNanos >= FAR_FROM_NANOS ? FAR : NEAR;
    }

    /** The state of what lay between two probes; one that found nothing out is no witness. */
    public static HopState between(double beforeNanos, double afterNanos) {
        HopState before = of(beforeNanos);
        HopState after = of(afterNanos);
        if (before == SHARED || after == SHARED) {
            return before == SHARED ? after : before;
        }
        boolean changed = Math.max(beforeNanos, afterNanos) > CHANGE_FACTOR * Math.min(beforeNanos, afterNanos);
        return before != after || changed ? MIXED : before;
    }

    /** The state of two things that lay one after the other, with a probe before, between and after them. */
    public static HopState between(double beforeNanos, double middleNanos, double afterNanos) {
        HopState first = between(beforeNanos, middleNanos);
        HopState second = between(middleNanos, afterNanos);
        if (first == SHARED || second == SHARED) {
            return first == SHARED ? second : first;
        }
        return first == second ? first : MIXED;
    }

    /** The state of several things that are compared: those of several states cannot be. */
    public static HopState ofAll(Collection<HopState> states) {
        return states.stream().distinct().count() == 1 ? states.iterator().next() : MIXED;
    }

    /** Whether it is one state of the computer, which rounds can be compared in. */
    public boolean isKnown() {
        return this == NEAR || this == FAR;
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
