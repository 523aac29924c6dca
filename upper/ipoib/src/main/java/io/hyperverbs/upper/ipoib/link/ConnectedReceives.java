package io.hyperverbs.upper.ipoib.link;

import io.hyperverbs.verbs.ReceivePoster;
import io.hyperverbs.verbs.SharedReceiveQueue;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;

/** Receives of all connections: one shared queue, as most are idle at a time. For the thread that receives. */
final class ConnectedReceives {
    private final SharedReceiveQueue queue;
    private final FrameSlots slots;
    private final ReceivePoster poster;

    /** Posts a receive for each slot. */
    ConnectedReceives(SharedReceiveQueue queue, FrameSlots slots) throws VerbsException {
        this.queue = queue;
        this.slots = slots;
        this.poster = queue.receives();
        for (int slot = 0; slot < slots.count(); slot++) {
            post(slot);
        }
    }

    SharedReceiveQueue queue() {
        return queue;
    }

    FrameSlots slots() {
        return slots;
    }

    /** Lets the next frame come into a slot. */
    void post(int slot) throws VerbsException {
        VerbsStatus status = poster.start()
                .receive(slot)
                .sge(slots.lkey(), slots.address(slot), slots.slotBytes())
                .post();
        if (status != VerbsStatus.SUCCESS) {
            throw new VerbsException(status, "no receives of " + queue.describe());
        }
    }
}
