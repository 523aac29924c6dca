package io.hyperverbs.backend.sa;

import io.hyperverbs.backend.session.TokenBucket;

/**
 * Who looks for guests, and how much more it may: a question goes to each HCA of the topology, and costs those who ask
 * from here besides. Under the lock of its connection manager.
 */
public final class Asker {
    /** Questions that may be under way. */
    static final int MAX_LOOKING = 4;

    static final long PER_SECOND = 100;

    private final TokenBucket rate = new TokenBucket(PER_SECOND);
    private int looking;

    boolean begin(long nowNanos) {
        boolean may = looking < MAX_LOOKING && rate.take(nowNanos);
        looking += may ? 1 : 0;
        return may;
    }

    void end() {
        looking--;
    }
}
