package io.hyperverbs.frontend.event;

import io.hyperverbs.frontend.path.CompletionPort;
import io.hyperverbs.verbs.CompletionQueue;
import org.jspecify.annotations.Nullable;

/**
 * The events of one completion queue. What the channel counts is guarded by the channel's lock; the
 * rest may be called from any thread.
 */
public final class CqEventState {
    final CompletionQueue queue;
    private final DriverChannel channel;
    private volatile @Nullable CompletionPort port;
    private volatile boolean armed;

    /** Waits in the channel to be taken. */
    boolean pending;

    /** Taken and not yet acknowledged. */
    int unacknowledged;

    boolean retired;

    public CqEventState(CompletionQueue queue, DriverChannel channel) {
        this.queue = queue;
        this.channel = channel;
    }

    /** The queue's port, once it is attached. */
    public void port(CompletionPort attached) {
        port = attached;
    }

    /** The program armed the queue, or is about to. */
    public void arming() {
        armed = true;
    }

    public boolean isArmed() {
        return armed;
    }

    /** The HCA reported a completion. */
    public void raise() {
        CompletionPort attached = port;
        if (attached == null || attached.mayAnnounce()) {
            announce();
        }
    }

    /** Hands the event to the channel: its completion is there, or nobody knows. */
    public void announce() {
        armed = false;
        channel.deliver(this);
    }

    /** No more events come. */
    void fail(String reason) {
        channel.fail(reason);
    }
}
