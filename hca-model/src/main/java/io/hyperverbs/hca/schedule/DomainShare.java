package io.hyperverbs.hca.schedule;

import org.jspecify.annotations.Nullable;

/** A domain as the arbiter sees it: weight, credit, and its queue pairs that have work. */
public final class DomainShare {
    private final int domain;
    private int weight = 1;
    private int faults;

    // The arbiter's own.
    long credit;
    int first = QpArbiter.NOBODY;
    int last = QpArbiter.NOBODY;
    boolean listed;
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

    /** Throwables its queue pairs caused; counts one more. */
    public int countFault() {
        return ++faults;
    }
}
