package io.hyperverbs.upper.mpi.link;

import io.hyperverbs.upper.mpi.error.ErrorClass;
import io.hyperverbs.upper.mpi.error.MpiError;
import io.hyperverbs.upper.mpi.frame.CreditLayout;
import io.hyperverbs.upper.mpi.frame.FrameHeader;
import io.hyperverbs.upper.mpi.frame.FrameLayout;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.ReceivePoster;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendPoster;
import io.hyperverbs.verbs.VerbsStatus;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * The connection to one rank: a ring here that it writes frames to by RDMA write with immediate data, and the copy of
 * its ring, out of which frames are written there (Bertozzi 2000 §4.1). Nothing waits: what does not fit is refused, and
 * fits later, when the peer's credits have come. One thread.
 */
public final class PeerLink {
    /** What a work request carries of this link's peer, in the upper bits; below it is its number. */
    static final int RANK_SHIFT = 48;

    /** Every so many sends have a completion, by which slots of the send queue become free. */
    private static final int SIGNAL_EVERY = 32;

    /** Credits are written when this part of the ring, or of the receives, is used. */
    private static final int CREDIT_PART = 4;

    private static final long NUMBER_MASK = (1L << RANK_SHIFT) - 1;

    private final int rank;
    private final String name;
    private final LinkMemory memory;
    private final RcQueuePair qp;
    private final SendPoster sends;
    private final ReceivePoster receives;
    private final LinkSizes sizes;
    private final int inlineBytes;
    private final PeerTerms peer;

    private final RingSpace outgoing;
    private long framesSent;
    private long peerReceives;
    private long posted;
    private long completed;

    private final RingSpace incoming;
    private long framesTaken;
    private long receivesPosted;
    private long positionCredited;
    private final Queue<Transfer> transfers = new ArrayDeque<>();

    private record Transfer(long number, TransferEnd end) {}

    /** What is to be done when a read or a write has ended. */
    @FunctionalInterface
    public interface TransferEnd {
        void ended() throws MpiError;
    }

    /**
     * @param qp in INIT or after, with {@code sizes.receives()} receives posted
     */
    PeerLink(int rank, String name, LinkMemory memory, RcQueuePair qp, LinkSizes sizes, PeerTerms peer) {
        this.rank = rank;
        this.name = name;
        this.memory = memory;
        this.qp = qp;
        this.sizes = sizes;
        this.peer = peer;
        this.sends = qp.sends();
        this.receives = qp.receives();
        this.inlineBytes = qp.limits().inlineBytes();
        this.outgoing = new RingSpace(peer.ringBytes());
        this.incoming = new RingSpace(sizes.ringBytes());
        this.peerReceives = peer.receives();
        this.receivesPosted = sizes.receives();
    }

    public int rank() {
        return rank;
    }

    /** The rank and its guest. */
    public String name() {
        return name;
    }

    /** The longest payload of a frame. */
    public int mostPayloadBytes() {
        return outgoing.mostFrameBytes() - FrameLayout.HEADER_BYTES;
    }

    /**
     * Sends a frame, if there is room for it at the peer and in the send queue.
     *
     * @param payload its bytes from {@code offsetBytes} on are copied
     * @param lengthBytes at most {@link #mostPayloadBytes}
     * @return whether it was sent
     */
    public boolean trySend(FrameHeader header, MemorySegment payload, long offsetBytes, int lengthBytes)
            throws MpiError {
        int frameBytes = FrameLayout.HEADER_BYTES + lengthBytes;
        if (!hasRoom(frameBytes)) {
            return false;
        }
        boolean wraps = outgoing.wraps(frameBytes);
        int offset = outgoing.take(frameBytes);
        FrameLayout.write(memory.copy(), offset, header);
        MemorySegment.copy(payload, offsetBytes, memory.copy(), offset + FrameLayout.HEADER_BYTES, lengthBytes);
        sends.start();
        sends.rdmaWriteWithImmediate(
                nextWorkRequest(), flags(), peer.address() + offset, peer.rkey(), wraps ? -frameBytes : frameBytes);
        data(memory.copy(), offset, frameBytes);
        post();
        framesSent++;
        return true;
    }

    /**
     * Reads out of the peer's memory, if the send queue has a slot.
     *
     * @param end is called when the bytes are there
     */
    public boolean tryRead(long remoteAddress, int rkey, long address, int lkey, int lengthBytes, TransferEnd end)
            throws MpiError {
        if (!hasSlot()) {
            return false;
        }
        long workRequest = nextWorkRequest();
        sends.start();
        sends.rdmaRead(workRequest, SendFlags.SIGNALLED, remoteAddress, rkey).sge(lkey, address, lengthBytes);
        post();
        transfers.add(new Transfer(workRequest & NUMBER_MASK, end));
        return true;
    }

    /**
     * Writes into the peer's memory, if the send queue has a slot; frames that are sent after it arrive after it.
     *
     * @param end is called when the bytes are there
     */
    public boolean tryWrite(long remoteAddress, int rkey, long address, int lkey, int lengthBytes, TransferEnd end)
            throws MpiError {
        if (!hasSlot()) {
            return false;
        }
        long workRequest = nextWorkRequest();
        sends.start();
        sends.rdmaWrite(workRequest, SendFlags.SIGNALLED, remoteAddress, rkey).sge(lkey, address, lengthBytes);
        post();
        transfers.add(new Transfer(workRequest & NUMBER_MASK, end));
        return true;
    }

    /** Posts an empty write whose completion says that all before it has arrived. */
    void flush() throws MpiError {
        sends.start();
        sends.rdmaWrite(nextWorkRequest(), SendFlags.SIGNALLED, peer.address(), peer.rkey());
        post();
    }

    boolean hasSlot() {
        return posted - completed < sizes.sends();
    }

    boolean isQuiet() {
        return posted == completed;
    }

    private boolean hasRoom(int frameBytes) {
        if (!hasSlot()) {
            return false;
        }
        if (framesSent < peerReceives && outgoing.hasRoom(frameBytes)) {
            return true;
        }
        outgoing.release(CreditLayout.readPositionAcquire(memory.ring(), sizes.ringBytes()));
        peerReceives = Math.max(peerReceives, CreditLayout.receivesAcquire(memory.ring(), sizes.ringBytes()));
        return framesSent < peerReceives && outgoing.hasRoom(frameBytes);
    }

    private long nextWorkRequest() {
        return (long) rank << RANK_SHIFT | posted + 1;
    }

    private int flags() {
        return (posted + 1) % SIGNAL_EVERY == 0 ? SendFlags.SIGNALLED : SendFlags.NONE;
    }

    private void data(MemorySegment from, long offset, int bytes) {
        if (bytes <= inlineBytes) {
            sends.inline(from, offset, bytes);
        } else {
            sends.sge(memory.copyKey(), memory.copyAddress() + offset, bytes);
        }
    }

    private void post() throws MpiError {
        VerbsStatus status = sends.post();
        if (status != VerbsStatus.SUCCESS) {
            throw new MpiError(ErrorClass.PROC_FAILED, "cannot send to " + name + ": " + qp.explainPost());
        }
        posted++;
    }

    /** A send or read has ended, and all sends before it; or a receive, which has no number. */
    void noteEnd(long workRequest) {
        completed = Math.max(completed, workRequest & NUMBER_MASK);
    }

    /** As {@link #noteEnd}; what waits for reads and writes goes on. */
    void ended(long workRequest) throws MpiError {
        noteEnd(workRequest);
        long number = workRequest & NUMBER_MASK;
        while (!transfers.isEmpty() && transfers.element().number() <= number) {
            transfers.remove().end().ended();
        }
        giveCredits();
    }

    /**
     * Takes the frame that has arrived.
     *
     * @param immediate as {@link FrameLayout} has it
     * @return the frame and no byte beside it, until {@link #taken}
     * @throws MpiError if the peer keeps no rule of the ring
     */
    MemorySegment take(int immediate) throws MpiError {
        int bytes = Math.abs(immediate);
        boolean sound = bytes >= FrameLayout.HEADER_BYTES
                && bytes <= incoming.mostFrameBytes()
                && incoming.wraps(bytes) == immediate < 0;
        if (!sound) {
            throw new MpiError(ErrorClass.OTHER, name + " has sent a frame of " + immediate + " bytes");
        }
        return memory.ring().asSlice(incoming.take(bytes), bytes);
    }

    /** The frame taken last is not looked at any more. */
    void taken() throws MpiError {
        framesTaken++;
        giveCredits();
    }

    private void giveCredits() throws MpiError {
        long used = framesTaken + sizes.receives() - receivesPosted;
        boolean isDue = used >= sizes.receives() / CREDIT_PART
                || incoming.position() - positionCredited >= sizes.ringBytes() / CREDIT_PART;
        if (!isDue || !hasSlot()) {
            return;
        }
        receives.start();
        for (long i = 0; i < used; i++) {
            receives.receive((long) rank << RANK_SHIFT);
        }
        if (used > 0 && receives.post() != VerbsStatus.SUCCESS) {
            throw new MpiError(ErrorClass.OTHER, "cannot receive from " + name + ": " + qp.explainPost());
        }
        receivesPosted += used;
        positionCredited = incoming.position();
        CreditLayout.write(memory.copy(), peer.ringBytes(), positionCredited, receivesPosted);
        sends.start();
        sends.rdmaWrite(nextWorkRequest(), flags(), peer.address() + peer.ringBytes(), peer.rkey());
        // At once in the work request: the next credits may be written before the HCA has fetched these.
        sends.inline(memory.copy(), peer.ringBytes(), CreditLayout.SIZE_BYTES);
        post();
    }
}
