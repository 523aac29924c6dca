package io.hyperverbs.frontend.path;

import io.hyperverbs.hca.layout.CompletionRing;
import io.hyperverbs.hca.layout.Doorbell;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;

/**
 * The HCA writes completions into the ring itself; the driver stores an index, and rings to arm.
 */
final class BypassCompletions implements CompletionPort {
    private final CompletionRing ring;
    private final int slot;
    private final Doorbell doorbell;

    BypassCompletions(CompletionRing ring, int slot, Doorbell doorbell) {
        this.ring = ring;
        this.slot = slot;
        this.doorbell = doorbell;
    }

    @Override
    public void refill(int max) {}

    @Override
    public void consumed(int consumerIndex) {
        ring.publishConsumer();
    }

    @Override
    public VerbsStatus arm(boolean solicitedOnly, int consumerIndex) {
        ring.arm(solicitedOnly);
        doorbell.ring(slot);
        return VerbsStatus.SUCCESS;
    }

    @Override
    public boolean mayAnnounce() {
        return true;
    }

    @Override
    public void resize(RingMemory other, int entries, Move move) throws VerbsException {
        ring.copyHeadTo(other.memory());
        move.run(ring.consumer());
        // The HCA writes into the other memory by now: the old holds all that came before.
        ring.moveTo(other.memory(), entries);
    }

    @Override
    public void close() {}
}
