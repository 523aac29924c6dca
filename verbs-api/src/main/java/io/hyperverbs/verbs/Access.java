package io.hyperverbs.verbs;

import java.util.EnumSet;
import java.util.Set;

/**
 * Rights of a memory region or of a responder QP ({@code ibv_access_flags}). Local read is always
 * allowed.
 */
public enum Access {
    LOCAL_WRITE(1),
    REMOTE_WRITE(1 << 1),
    REMOTE_READ(1 << 2),
    REMOTE_ATOMIC(1 << 3),
    MW_BIND(1 << 4),
    ZERO_BASED(1 << 5);

    /** All bits that any right has. */
    public static final int ALL_BITS = (1 << 6) - 1;

    private final int bit;

    Access(int bit) {
        this.bit = bit;
    }

    public int bit() {
        return bit;
    }

    /** The rights as a bit mask, as layouts and messages carry them. */
    public static int mask(Set<Access> rights) {
        int mask = 0;
        for (Access right : rights) {
            mask |= right.bit;
        }
        return mask;
    }

    /** The rights in a bit mask; unknown bits are ignored. */
    public static Set<Access> of(int mask) {
        EnumSet<Access> rights = EnumSet.noneOf(Access.class);
        for (Access right : values()) {
            if ((mask & right.bit) != 0) {
                rights.add(right);
            }
        }
        return rights;
    }
}
