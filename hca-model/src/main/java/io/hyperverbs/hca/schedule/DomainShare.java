package io.hyperverbs.hca.schedule;

import org.jspecify.annotations.Nullable;

/**
 * A domain as the arbiter sees it: weight, credit, rate limit, and its queue pairs that have work.
 * Engine thread only.
 */
public final class DomainShare {
    /** Doorbells of one domain that a turn of the engine takes, give or take a word of them. */
    private static final int DOORBELLS_PER_TURN = 64;

    private final int domain;
    private int weight = 1;

    /** Throwables of one domain until it is taken for the cause of them. */
    public static final int FAULTS = 16;

    private int faults;
    private long bytesPerSecond;
    private long messagesPerSecond;
    private long doorbellTurn;
    private int doorbells;

    // The arbiter's own.
    long credit;
    int first = QpArbiter.NOBODY;
    int last = QpArbiter.NOBODY;
    boolean listed;
    boolean held;
    long holds;
    @Nullable RateLimit rate;
    @Nullable DomainShare next;

    public DomainShare(int domain) {
        this.domain = domain;
    }

    public int domain() {
        return domain;
    }

    public int weight() {
        return weight;
    }

    /** From the next round on. */
    public void weight(int weight) {
        this.weight = weight;
    }

    /** Limits what its queue pairs send; 0 is no limit. */
    public void limit(long bytesPerSecond, long messagesPerSecond) {
        this.bytesPerSecond = bytesPerSecond;
        this.messagesPerSecond = messagesPerSecond;
        rate =
                bytesPerSecond == 0 && messagesPerSecond == 0
                        ? null
                        : new RateLimit(bytesPerSecond, messagesPerSecond);
    }

    /** 0 is no limit. */
    public long bytesPerSecond() {
        return bytesPerSecond;
    }

    /** 0 is no limit. */
    public long messagesPerSecond() {
        return messagesPerSecond;
    }

    /** Whether it is in line already, or its rate keeps it out. */
    public boolean isWaiting() {
        return listed || held;
    }

    /** How often its rate has held it. */
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

    /** Whether more of its doorbells are taken in the engine's turn of that number. */
    public boolean mayRing(long turn) {
        return doorbellTurn != turn || doorbells < DOORBELLS_PER_TURN;
    }

    /** So many of its doorbells were taken in that turn. */
    public void rang(long turn, int count) {
        doorbells = count + (doorbellTurn == turn ? doorbells : 0);
        doorbellTurn = turn;
    }
}
