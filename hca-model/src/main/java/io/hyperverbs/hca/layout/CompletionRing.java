package io.hyperverbs.hca.layout;

import io.hyperverbs.verbs.VendorError;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.lang.foreign.MemorySegment;

/**
 * The driver's end of a completion ring. One thread at a time. Allocates nothing.
 *
 * <pre>{@code
 * while (ring.hasNext()) { ring.read(completion); use ring.qpn(), ring.sqHead(); ring.advance(); }
 * ring.publishConsumer();
 * }</pre>
 */
public final class CompletionRing {
    private MemorySegment memory;
    private long ring;
    private int mask;
    private int consumer;
    private int armNumber;

    /**
     * @param ring byte offset of the queue's ring memory in {@code memory}, 64-byte aligned
     * @param entries power of two
     */
    public CompletionRing(MemorySegment memory, long ring, int entries) {
        if (Integer.bitCount(entries) != 1) {
            throw new IllegalArgumentException("entries " + entries + ", must be a power of two");
        }
        this.memory = memory;
        this.ring = ring;
        this.mask = entries - 1;
    }

    public int capacity() {
        return mask + 1;
    }

    /** Whether the next entry is valid. */
    public boolean hasNext() {
        return CqeLayout.sequenceAcquire(memory, next()) == consumer + 1;
    }

    /** Fills {@code completion} from the next entry, after {@link #hasNext}. */
    public void read(WorkCompletion completion) {
        long cqe = next();
        int status = CqeLayout.statusCode(memory, cqe);
        completion.fill(
                CqeLayout.wrId(memory, cqe),
                VerbsStatus.of(status),
                WorkCompletion.Opcode.of(CqeLayout.opcode(memory, cqe)),
                CqeLayout.byteCount(memory, cqe),
                CqeLayout.qpn(memory, cqe));
        int flags = CqeLayout.flags(memory, cqe);
        if ((flags & CqeLayout.FLAG_IMMEDIATE) != 0) {
            completion.fillImmediate(CqeLayout.immediate(memory, cqe));
        } else if ((flags & CqeLayout.FLAG_INVALIDATED) != 0) {
            completion.fillInvalidated(CqeLayout.immediate(memory, cqe));
        }
        if (status != 0) {
            completion.fillFault(
                    VendorError.of(CqeLayout.vendorError(memory, cqe)),
                    CqeLayout.faultKey(memory, cqe),
                    CqeLayout.faultPd(memory, cqe),
                    CqeLayout.faultAddress(memory, cqe),
                    CqeLayout.faultLengthBytes(memory, cqe));
        } else {
            readSource(completion, cqe);
        }
    }

    private void readSource(WorkCompletion completion, long cqe) {
        int sourceQpn = CqeLayout.sourceQpn(memory, cqe);
        if (sourceQpn != 0) {
            completion.fillSource(
                    sourceQpn,
                    CqeLayout.sourceLid(memory, cqe),
                    CqeLayout.serviceLevel(memory, cqe),
                    CqeLayout.pkeyIndex(memory, cqe),
                    (CqeLayout.flags(memory, cqe) & CqeLayout.FLAG_GRH) != 0);
        }
    }

    /** QPN of the next entry. */
    public int qpn() {
        return CqeLayout.qpn(memory, next());
    }

    /** Whether the next entry ends a receive; else it ends a send and {@link #sqHead} counts. */
    public boolean isReceive() {
        return CqeLayout.opcode(memory, next()) >= WorkCompletion.Opcode.RECV.code();
    }

    public int sqHead() {
        return CqeLayout.sqHead(memory, next());
    }

    /** On a receive: number of the shared queue it was taken from, 0 for none. */
    public int srqn() {
        return CqeLayout.sqHead(memory, next());
    }

    /** Index of the next entry. */
    public int consumer() {
        return consumer;
    }

    /** Takes the next entry. */
    public void advance() {
        consumer++;
    }

    /** Tells the HCA what was taken, once per batch. */
    public void publishConsumer() {
        CqHeaderLayout.consumerIndexRelease(memory, ring, consumer);
    }

    /** Stores the next arm word; the caller rings the queue's doorbell slot after it. */
    public void arm(boolean solicitedOnly) {
        CqHeaderLayout.armRelease(memory, ring, solicitedOnly, ++armNumber, consumer);
    }

    /** Index after the last completion that is there. */
    public int arrived() {
        return CompletionRings.arrived(memory, ring, mask + 1, consumer);
    }

    /** Prepares the head of memory that takes over: what was taken and armed so far. */
    public void copyHeadTo(MemorySegment other) {
        CqHeaderLayout.copy(memory, ring, other, 0);
        CqHeaderLayout.consumerIndexRelease(other, 0, consumer);
    }

    /** Goes on in other memory, with the completions not yet taken; they fit. */
    public void moveTo(MemorySegment other, int entries) {
        CompletionRings.copy(memory, ring, mask + 1, other, 0, entries, consumer);
        memory = other;
        ring = 0;
        mask = entries - 1;
    }

    private long next() {
        return ring + CqHeaderLayout.SIZE_BYTES + (consumer & mask) * CqeLayout.SIZE_BYTES;
    }
}
