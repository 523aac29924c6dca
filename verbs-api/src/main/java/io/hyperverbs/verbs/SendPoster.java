package io.hyperverbs.verbs;

import java.lang.foreign.MemorySegment;

/**
 * Builds send requests straight in the ring and rings one doorbell for the batch ({@code
 * ibv_wr_start}, {@code ibv_wr_complete}). Kept by its queue pair, reused, allocates nothing; one
 * thread at a time.
 *
 * <pre>{@code
 * poster.start();
 * poster.rdmaWrite(7, SendFlags.SIGNALLED, peer.address(), peer.rkey()).sge(region.lkey(), region.address(), 64);
 * VerbsStatus status = poster.post();
 * }</pre>
 *
 * <p>A mistake (no room, too many SGEs) is remembered and answered by {@link #post}, which then
 * posts nothing.
 */
public interface SendPoster {
    /** Begins a batch and forgets an unfinished one. */
    SendPoster start();

    SendPoster send(long wrId, int flags);

    SendPoster sendWithImmediate(long wrId, int flags, int immediate);

    SendPoster rdmaWrite(long wrId, int flags, long remoteAddress, int rkey);

    SendPoster rdmaWriteWithImmediate(long wrId, int flags, long remoteAddress, int rkey, int immediate);

    SendPoster rdmaRead(long wrId, int flags, long remoteAddress, int rkey);

    SendPoster compareAndSwap(long wrId, int flags, long remoteAddress, int rkey, long expected, long replacement);

    SendPoster fetchAndAdd(long wrId, int flags, long remoteAddress, int rkey, long addend);

    /**
     * Says where the send begun last goes ({@code ibv_wr_set_ud_addr}); UD alone, and there each
     * request needs it.
     *
     * @param ah {@link AddressHandle#number}
     * @param remoteQkey the receiver's; with the high bit set, the sender's own is sent
     */
    SendPoster to(int ah, int remoteQpn, int remoteQkey);

    /**
     * A send that, once it has arrived, ends the peer's window with that key ({@code
     * IBV_WR_SEND_WITH_INV}).
     */
    SendPoster sendWithInvalidate(long wrId, int flags, int rkey);

    /**
     * Ends a window of type 2 that was bound through this queue pair ({@code IBV_WR_LOCAL_INV}). A
     * key that names none: MW_BIND_ERR.
     */
    SendPoster localInvalidate(long wrId, int flags, int rkey);

    /**
     * Binds a free window of type 2 ({@code IBV_WR_BIND_MW}). Its key becomes its own upper 24 bits
     * and the low 8 bits of {@code tag}. MW_BIND_ERR if PDs differ, the range is not inside the
     * region, or a right is missing.
     */
    SendPoster bindWindow(long wrId, int flags, MemoryWindow window, int tag, WindowBinding binding);

    /**
     * Names the shared receive queue that the request begun last is for ({@code
     * ibv_wr_set_xrc_srqn}); for an {@link XrcInitiator}.
     */
    SendPoster sharedQueue(int srqn);

    /** Adds an SGE to the request begun last. */
    SendPoster sge(int lkey, long address, int lengthBytes);

    /**
     * Copies the payload into the request begun last, instead of SGEs; its buffer is free at
     * once.
     */
    SendPoster inline(MemorySegment source, long offsetBytes, int lengthBytes);

    /**
     * Publishes the batch and rings the doorbell once.
     *
     * @return SUCCESS; ENOMEM if the queue has not room for all; EINVAL for a request the queue
     *     pair cannot hold or in a state before RTS; nothing is posted then
     */
    VerbsStatus post();
}
