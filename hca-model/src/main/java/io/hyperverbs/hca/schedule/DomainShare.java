package io.hyperverbs.hca.schedule;

import org.jspecify.annotations.Nullable;

/**
 * A domain as the arbiter sees it: weight, tag, rate limit, and its queue pairs that have work.
 * Engine thread only.
 */
public final class DomainShare {
    /** Doorbells of one domain that a turn of the engine takes. */
    private static final int DOORBELLS_PER_TURN = 16;

    /** Tags are nanoseconds over the weight, times two to this power. */
    static final int TAG_SHIFT = 16;

    private final int domain;
    private int weight = 1;
    private long tagsPerNano = 1 << TAG_SHIFT;

    /** Throwables of one domain until it is taken for the cause of them. */
    public static final int FAULTS = 16;

    private int faults;
    private long bytesPerSecond;
    private long messagesPerSecond;
    private long doorbellTurn;
    private int doorbells;

    // The arbiter's own.
    long tag;
    int place;
    int first = QpArbiter.NOBODY;
    int last = QpArbiter.NOBODY;
    boolean listed;
    boolean isNew;
    boolean throttled;
    long holds;

    @Nullable
    RateLimit rate;

    @Nullable
    DomainShare next;

    public DomainShare(int domain) {
        this.domain = domain;
    }

    public int domain() {
        return domain;
    }

    public int weight() {
        return weight;
    }

    /** From the next turn on. */
    public void weight(int weight) {
        this.weight = weight;
        this.tagsPerNano = Math.max(1, (1 << TAG_SHIFT) / weight);
    }

    void spend(long nanos) {
        tag += nanos * tagsPerNano;
    }

    /** Limits what its queue pairs send; 0 is no limit. */
    public void limit(long bytesPerSecond, long messagesPerSecond) {
        this.bytesPerSecond = bytesPerSecond;
        this.messagesPerSecond = messagesPerSecond;
        rate = bytesPerSecond == 0 && messagesPerSecond == 0 ? null : new RateLimit(bytesPerSecond, messagesPerSecond);
    }

    /** 0 is no limit. */
    public long bytesPerSecond() {
        return bytesPerSecond;
    }

    /** 0 is no limit. */
    public long messagesPerSecond() {
        return messagesPerSecond;
    }

    /** How often its rate has throttled it. */
    public long holds() {
        return holds;
    }

    /** Throwables its queue pairs caused; counts one more. */
    public int countFault() {
        return ++faults;
    }

    /** Whether it caused so many that nothing of it is run any more. */
    public boolean isQuarantined() {
        return faults >= FAULTS;
    }

    /** How many more of its doorbells are taken in the engine's turn of that number. */
    public int doorbellsLeft(long turn) {
        return doorbellTurn == turn ? DOORBELLS_PER_TURN - doorbells : DOORBELLS_PER_TURN;
    }

    /** So many of its doorbells were taken in that turn. */
    public void rang(long turn, int count) {
        doorbells = count + (doorbellTurn == turn ? doorbells : 0);
        doorbellTurn = turn;
    }
}
