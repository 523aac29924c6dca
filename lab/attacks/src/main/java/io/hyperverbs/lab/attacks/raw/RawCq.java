package io.hyperverbs.lab.attacks.raw;

import io.hyperverbs.hca.layout.CqHeaderLayout;
import io.hyperverbs.hca.layout.CqeLayout;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.wait.WaitingPolicy;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A completion queue read entry by entry. One thread. */
public final class RawCq {
    /** What a completion says. */
    public record Entry(long wrId, VerbsStatus status, int opcode, int qpn, int vendorError) {}

    private final RawRegion ring;
    private final ControlReply.CqCreated made;
    private final WaitingPolicy waiting = WaitingPolicy.hybrid();
    private int consumer;
    private int armNumber;

    private RawCq(RawRegion ring, ControlReply.CqCreated made) {
        this.ring = ring;
        this.made = made;
    }

    static RawCq create(RawDevice device, int entries, boolean events) throws VerbsException {
        RawRegion ring = device.ring(CqHeaderLayout.totalBytes(entries));
        return new RawCq(
                ring,
                device.expect(
                        new ControlRequest.CreateCq(device.context(), entries, ring.handle(), events),
                        ControlReply.CqCreated.class));
    }

    public long handle() {
        return made.cq();
    }

    public int entries() {
        return made.entries();
    }

    /** Head and entries, to write as one likes. */
    public MemorySegment memory() {
        return ring.memory();
    }

    /** Handle of its ring. */
    public RawRegion ring() {
        return ring;
    }

    /** Asks for an event at the next completion. */
    public void arm(RawDevice device) {
        CqHeaderLayout.armRelease(ring.memory(), 0, false, ++armNumber, consumer);
        device.ring(made.slot());
    }

    /** The next completion if it is there. */
    public @Nullable Entry poll() {
        long cqe = CqHeaderLayout.SIZE_BYTES + (long) (consumer & (made.entries() - 1)) * CqeLayout.SIZE_BYTES;
        MemorySegment memory = ring.memory();
        if (CqeLayout.sequenceAcquire(memory, cqe) != consumer + 1) {
            return null;
        }
        Entry entry = new Entry(
                CqeLayout.wrId(memory, cqe),
                VerbsStatus.of(CqeLayout.statusCode(memory, cqe)),
                CqeLayout.opcode(memory, cqe),
                CqeLayout.qpn(memory, cqe),
                CqeLayout.vendorError(memory, cqe));
        consumer++;
        CqHeaderLayout.consumerIndexRelease(memory, 0, consumer);
        return entry;
    }

    /** The next completion, or null if none comes within {@code patience}. */
    public @Nullable Entry await(Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        waiting.reset();
        while (true) {
            Entry entry = poll();
            if (entry != null || System.nanoTime() - deadline > 0) {
                return entry;
            }
            waiting.idleOrNap();
        }
    }

    /** Throws away what is there; returns how many. */
    public int drain() {
        int count = 0;
        while (poll() != null) {
            count++;
        }
        return count;
    }
}
