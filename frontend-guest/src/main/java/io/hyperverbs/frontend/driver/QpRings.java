package io.hyperverbs.frontend.driver;

import io.hyperverbs.hca.layout.ReceiveRing;
import io.hyperverbs.hca.layout.SendRing;

/**
 * The rings of one queue pair, as its completion queues see them. Completions free slots; those of
 * a life before RESET are known by their index and free nothing.
 */
final class QpRings {
    private final SendRing sends;
    private final ReceiveRing receives;
    private volatile boolean hasStale;
    private int staleSendsBefore;
    private int staleReceivesBefore;

    QpRings(SendRing sends, ReceiveRing receives) {
        this.sends = sends;
        this.receives = receives;
    }

    /** Accounts for a completion of a send at {@code index} of its CQ; false if it is stale. */
    boolean sent(int index, int sqHead) {
        if (hasStale && index - staleSendsBefore < 0) {
            return false;
        }
        sends.freeUpTo(sqHead);
        return true;
    }

    /** Accounts for a completion of a receive; false if it is stale. */
    boolean received(int index) {
        if (hasStale && index - staleReceivesBefore < 0) {
            return false;
        }
        receives.freeOne();
        return true;
    }

    /**
     * The queue pair went to RESET: completions before these indexes of its CQs are of the past.
     */
    void reset(DriverCq sendCq, DriverCq receiveCq) {
        staleSendsBefore = sendCq.arrived();
        staleReceivesBefore = receiveCq.arrived();
        hasStale = staleSendsBefore != sendCq.consumed() || staleReceivesBefore != receiveCq.consumed();
        sends.reset();
        receives.reset();
    }
}
