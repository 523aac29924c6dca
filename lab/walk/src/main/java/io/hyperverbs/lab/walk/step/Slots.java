package io.hyperverbs.lab.walk.step;

/** How many objects of each kind a walk holds at once, and how much memory each domain has. */
public final class Slots {
    /** Contexts of all domains together; those of one domain are every so many-th. */
    public static final int CONTEXTS = 4;

    public static final int PDS = 5;
    public static final int CQS = 5;
    public static final int REGIONS = 8;
    public static final int WINDOWS = 6;
    public static final int AHS = 5;
    public static final int SRQS = 3;
    public static final int QPS = 6;

    /** Where a slot is named and there is none. */
    public static final int NONE = -1;

    /** Memory of one domain, that its regions are cut from. */
    public static final int ARENA_BYTES = 4096;

    /** Room of a completion queue of queue pairs: more than all of them have outstanding. */
    public static final int CQ_ENTRIES = 1024;

    private Slots() {}

    /** Slots for objects of a kind. */
    public static int count(SlotKind kind) {
        return switch (kind) {
            case PD -> PDS;
            case CQ -> CQS;
            case REGION -> REGIONS;
            case WINDOW -> WINDOWS;
            case SRQ -> SRQS;
            case AH -> AHS;
            case QP -> QPS;
        };
    }

    /** The domain that a context lies in, of so many. */
    public static int domainOf(int context, int domains) {
        return context % domains;
    }
}
