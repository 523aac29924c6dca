package io.hyperverbs.verbs;

import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * Ties regions and queue pairs together: a key means something only inside its PD ({@code ibv_pd}).
 */
public interface ProtectionDomain extends VerbsObject {
    Context context();

    /**
     * Registers memory of this domain with the HCA ({@code ibv_reg_mr}, Liu 2006 §4.2).
     *
     * @param buffer out of {@link Domain#memory()}, any alignment, at least 1 byte
     * @param access what the HCA may do with it beyond local reads
     * @return the region; its keys are valid until it is closed
     * @throws VerbsException EINVAL for REMOTE_WRITE or REMOTE_ATOMIC without LOCAL_WRITE; EFAULT
     *     if a page is not this domain's RAM; EAGAIN above the quota of regions or registered bytes
     */
    MemoryRegion register(MemorySegment buffer, Set<Access> access) throws VerbsException;

    /**
     * As {@link #register(MemorySegment, Set)}, with {@code address} as the address of its first
     * byte ({@code ibv_reg_mr_iova}).
     *
     * @param address as far into a page of 4096 bytes as the buffer; with the length, up to 2^64
     */
    MemoryRegion register(MemorySegment buffer, long address, Set<Access> access) throws VerbsException;

    /**
     * Keeps registrations for memory that is used again.
     *
     * @throws VerbsException EINVAL if this is closed
     */
    RegistrationCache createRegistrationCache() throws VerbsException;

    /**
     * A local key for all memory of the domain.
     *
     * @throws VerbsException EAGAIN above the quota of regions, of which it is one
     */
    DmaKey allocateDmaKey() throws VerbsException;

    /**
     * Allocates a memory window that is not bound ({@code ibv_alloc_mw}).
     *
     * @throws VerbsException EAGAIN above the quota {@code mw}; ENOMEM if the HCA has no more
     */
    MemoryWindow allocateWindow(MemoryWindow.Type type) throws VerbsException;

    /**
     * Creates a reliable-connection queue pair in RESET ({@code ibv_create_qp}).
     *
     * @throws VerbsException EINVAL for bad limits or a CQ of another context; EAGAIN above the
     *     quota; ENOMEM without RAM for the rings
     */
    RcQueuePair createRc(QpLimits limits, CompletionQueue sendCq, CompletionQueue receiveCq) throws VerbsException;

    /** Creates an unreliable-connection queue pair in RESET; as {@link #createRc}. */
    UcQueuePair createUc(QpLimits limits, CompletionQueue sendCq, CompletionQueue receiveCq) throws VerbsException;

    /** Creates an unreliable-datagram queue pair in RESET; as {@link #createRc}. */
    UdQueuePair createUd(QpLimits limits, CompletionQueue sendCq, CompletionQueue receiveCq) throws VerbsException;

    /**
     * Tells the HCA where datagrams can go ({@code ibv_create_ah}).
     *
     * @throws VerbsException EINVAL for an attribute out of range, a multicast LID without a
     *     multicast GID or the reverse; EAGAIN above the quota
     */
    AddressHandle createAh(AddressAttributes attributes) throws VerbsException;

    /**
     * Creates a reliable-connection queue pair that takes its receives from {@code srq}. Its own
     * receive queue takes no posts, and the receive sizes of {@code limits} do not count.
     *
     * @throws VerbsException as without; EINVAL for a shared queue of another context
     */
    RcQueuePair createRc(QpLimits limits, CompletionQueue sendCq, CompletionQueue receiveCq, SharedReceiveQueue srq)
            throws VerbsException;

    /**
     * Creates an initiator of XRC in RESET ({@code IBV_QPT_XRC_SEND}); the receive sizes of {@code
     * limits} do not count.
     *
     * @throws VerbsException as {@link #createRc(QpLimits, CompletionQueue, CompletionQueue)}
     */
    XrcInitiator createXrcInitiator(QpLimits limits, CompletionQueue sendCq) throws VerbsException;

    /**
     * Creates a shared receive queue ({@code ibv_create_srq}).
     *
     * @throws VerbsException EINVAL for bad limits; EAGAIN above the quota; ENOMEM without RAM for
     *     the ring
     */
    SharedReceiveQueue createSrq(SrqLimits limits) throws VerbsException;
}
