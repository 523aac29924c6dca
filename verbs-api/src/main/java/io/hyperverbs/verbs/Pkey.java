package io.hyperverbs.verbs;

/** Partition keys: 15 bits that name a partition, and a bit for full members (IBA 10.9). */
public final class Pkey {
    /** Full member of the default partition. */
    public static final int DEFAULT = 0xffff;

    private static final int FULL_MEMBER = 0x8000;
    private static final int PARTITION = 0x7fff;

    private Pkey() {}

    /** Whether two ports with these keys may talk: one partition, and not two limited members. */
    public static boolean match(int one, int other) {
        return ((one ^ other) & PARTITION) == 0 && (one & PARTITION) != 0 && ((one | other) & FULL_MEMBER) != 0;
    }
}
