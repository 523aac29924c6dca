package io.hyperverbs.backend.verbs;

import io.hyperverbs.backend.session.ContextObject;
import io.hyperverbs.backend.session.QueueMemory;
import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.backend.session.RingObject;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.HypercallException;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.memory.FrameKind;
import io.hyperverbs.vmm.memory.MappedExtent;
import org.jspecify.annotations.Nullable;

/** Finds the ring memory of a queue to be created: the domain's, or fresh frames. */
final class QueueMemories {
    /**
     * The most that the device domain takes for one queue that it forwards, so that one request
     * cannot claim all of a large quota; a queue of the data path bypass lies in the domain's own
     * memory.
     */
    static final long MAX_FORWARDED_BYTES = 32L << 20;

    private final DeviceServices services;

    QueueMemories(DeviceServices services) {
        this.services = services;
    }

    /**
     * The ring that a create names, if it may be used. No effect.
     *
     * @return null on a forwarded data path
     */
    @Nullable
    RingObject check(Session session, ContextObject context, long ringHandle, long neededBytes) throws Refusal {
        if (context.dataPath() != DataPathKind.BYPASS) {
            if (ringHandle != 0) {
                throw Statuses.invalid("a forwarded queue has no ring of the domain");
            }
            if (neededBytes > MAX_FORWARDED_BYTES) {
                throw new Refusal(
                        VerbsStatus.ENOMEM,
                        "queue of " + neededBytes + " bytes, a forwarded one may have " + MAX_FORWARDED_BYTES);
            }
            session.quota().check(QuotaKind.BACKING, backingBytes(neededBytes));
            return null;
        }
        RingObject ring = Statuses.parameter(session.rings().get(ringHandle), "ring");
        if (ring.context() != context) {
            throw Statuses.invalid("the ring is of another context");
        }
        if (ring.references() != 0) {
            throw new Refusal(VerbsStatus.EBUSY, "the ring is another queue's");
        }
        if (ring.run().lengthBytes() < neededBytes) {
            throw Statuses.invalid("ring of " + ring.run().lengthBytes() + " bytes, needs " + neededBytes);
        }
        return ring;
    }

    /** Takes the checked ring, or fresh frames if it is null. */
    QueueMemory take(Session session, @Nullable RingObject ring, long neededBytes, Undo undo) throws Refusal {
        if (ring != null) {
            ring.reference();
            undo.push(ring::dereference);
            return new QueueMemory.OfDomain(ring);
        }
        long bytes = backingBytes(neededBytes);
        session.quota().take(QuotaKind.BACKING, bytes);
        undo.push(() -> session.quota().giveBack(QuotaKind.BACKING, bytes));
        try {
            MappedExtent extent = services.machine().allocateFrames(FrameKind.RAM, bytes / FrameRun.FRAME_BYTES);
            undo.push(() -> services.machine().freeFrames(extent));
            return new QueueMemory.OfBackend(extent);
        } catch (HypercallException e) {
            throw Refusal.of(e, "ring memory");
        }
    }

    /** Lets go of memory that no queue of the HCA uses any more. */
    void release(Session session, QueueMemory memory) {
        switch (memory) {
            case QueueMemory.OfDomain ofDomain -> ofDomain.ring().dereference();
            case QueueMemory.OfBackend ofBackend -> session.leftovers().run(() -> free(session, ofBackend.extent()));
        }
    }

    /** Frames that cannot be freed yet stay charged until they are. */
    private void free(Session session, MappedExtent extent) throws HypercallException {
        services.machine().freeFrames(extent);
        session.quota().giveBack(QuotaKind.BACKING, extent.frames() * FrameRun.FRAME_BYTES);
    }

    private static long backingBytes(long neededBytes) {
        return ((neededBytes - 1) / FrameRun.FRAME_BYTES + 1) * FrameRun.FRAME_BYTES;
    }
}
