package io.hyperverbs.frontend.path;

import io.hyperverbs.hca.layout.SharedReceiveRing;
import io.hyperverbs.hca.layout.SrqGeometry;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;

/** Stores the producer index; the HCA stores which slots are free again. */
final class BypassSrq implements SrqPort {
    private final SharedReceiveRing ring;

    BypassSrq(SharedReceiveRing ring) {
        this.ring = ring;
    }

    @Override
    public VerbsStatus post(int count) {
        ring.publish(count);
        return VerbsStatus.SUCCESS;
    }

    @Override
    public int free() {
        return ring.free();
    }

    @Override
    public void completed() {}

    @Override
    public void completesIn(CompletionPort cq) {}

    @Override
    public void close() {}

    @Override
    public void resize(RingMemory other, SrqGeometry geometry, Move move) throws VerbsException {
        ring.copyTo(other.memory(), geometry);
        move.run();
        ring.moveTo(other.memory(), geometry);
    }
}
