package io.hyperverbs.toolstack.bench;

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
    /** Both parties ran on one core, or were kept from running. */
    SHARED,
    /** Before and after differ: the round counts for nothing. */
    MIXED;

    /** Between the 45-60 ns of cores that share a cache and the 160-290 ns of others. */
    static final double FAR_FROM_NANOS = 110;

    /** No cache line takes so long; the scheduler does. */
    static final double SHARED_FROM_NANOS = 2_000;

    /** Inside a state a hop varies by a few per cent, so a factor is a change of state. */
    static final double CHANGE_FACTOR = 1.8;

    /** The state of one probe. */
    public static HopState of(double hopNanos) {
        if (hopNanos >= SHARED_FROM_NANOS) {
            return SHARED;
        }
        return hopNanos >= FAR_FROM_NANOS ? FAR : NEAR;
    }

    /** The state of what lay between two probes. */
    public static HopState between(double beforeNanos, double afterNanos) {
        HopState before = of(beforeNanos);
        if (before != of(afterNanos)) {
            return MIXED;
        }
        boolean changed =
                before != SHARED
                        && Math.max(beforeNanos, afterNanos)
                                > CHANGE_FACTOR * Math.min(beforeNanos, afterNanos);
        return changed ? MIXED : before;
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
