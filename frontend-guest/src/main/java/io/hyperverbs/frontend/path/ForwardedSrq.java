package io.hyperverbs.frontend.path;

import io.hyperverbs.hca.layout.SharedReceiveRing;
import io.hyperverbs.hca.layout.SrqGeometry;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sends filled staging slots to the backend. As many receives as completed have surely been taken,
 * so each completion frees a slot. A receive may end without a completion here (its queue pair was
 * reset, its completion queue destroyed): when the ring seems full, the HCA is asked.
 */
final class ForwardedSrq implements SrqPort {
    private final SrqEnds srq;
    private final ForwardedChannel channel;
    private final CopyOnWriteArrayList<ForwardedCompletions> targets = new CopyOnWriteArrayList<>();
    private final AtomicInteger completed = new AtomicInteger();

    ForwardedSrq(SrqEnds srq, ForwardedChannel channel) {
        this.srq = srq;
        this.channel = channel;
    }

    /** A queue pair takes its receives, which complete in {@code cq}. */
    void feed(ForwardedCompletions cq) {
        targets.add(cq);
        cq.add(this);
    }

    /** One queue pair less. */
    void feedNoMore(ForwardedCompletions cq) {
        targets.remove(cq);
        cq.remove(this);
    }

    /** Receives that may still complete somewhere; rather too many than too few. */
    int underWay() {
        return srq.ring().producer() - completed.get();
    }

    @Override
    public VerbsStatus post(int count) {
        for (ForwardedCompletions cq : Set.copyOf(targets)) {
            cq.makeRoom(count);
        }
        return StagedEntries.send(
                srq.ring(),
                srq.ring().geometry().strideBytes(),
                count,
                (now, entries) -> channel.postSharedReceive(srq.handle(), now, entries));
    }

    @Override
    public int free() {
        SharedReceiveRing ring = srq.ring();
        ring.noteHead(completed.get());
        if (ring.free() <= 0) {
            try {
                ring.noteHead(srq.takenSoFar().ask());
            } catch (VerbsException _) {
                // What cannot be asked is not free.
            }
        }
        return ring.free();
    }

    @Override
    public void completesIn(CompletionPort cq) {
        feed((ForwardedCompletions) cq);
    }

    @Override
    public void close() {
        for (ForwardedCompletions cq : targets) {
            feedNoMore(cq);
        }
    }

    @Override
    public void completed() {
        completed.incrementAndGet();
    }

    @Override
    public void resize(RingMemory other, SrqGeometry geometry, Move move) throws VerbsException {
        // The staging ring holds nothing the backend has not; only the indexes go on.
        move.run();
        srq.ring().copyTo(other.memory(), geometry);
        srq.ring().moveTo(other.memory(), geometry);
    }
}
