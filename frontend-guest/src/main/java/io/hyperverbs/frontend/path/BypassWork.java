package io.hyperverbs.frontend.path;

import io.hyperverbs.hca.layout.Doorbell;
import io.hyperverbs.hca.layout.ReceiveRing;
import io.hyperverbs.hca.layout.SendRing;
import io.hyperverbs.verbs.VerbsStatus;

/** Stores the producer index and rings the slot's doorbell: all that a post costs. */
final class BypassWork implements QpPort {
    private final SendRing sendRing;
    private final ReceiveRing receiveRing;
    private final int slot;
    private final Doorbell doorbell;

    BypassWork(SendRing sendRing, ReceiveRing receiveRing, int slot, Doorbell doorbell) {
        this.sendRing = sendRing;
        this.receiveRing = receiveRing;
        this.slot = slot;
        this.doorbell = doorbell;
    }

    @Override
    public VerbsStatus postSend(int count) {
        sendRing.publish(count);
        doorbell.ring(slot);
        return VerbsStatus.SUCCESS;
    }

    @Override
    public VerbsStatus postReceive(int count) {
        // No doorbell: the HCA looks at the index when a message needs a receive.
        receiveRing.publish(count);
        return VerbsStatus.SUCCESS;
    }

    @Override
    public void close() {}
}
