package io.hyperverbs.verbs;

/**
 * Ties shared receive queues to the target queue pairs that may feed them ({@code ibv_xrcd}). Any
 * thread.
 */
public interface XrcDomain extends VerbsObject {
    Context context();

    /**
     * Creates a shared receive queue that initiators name by its number ({@code ibv_create_srq_ex},
     * {@code IBV_SRQT_XRC}). Its receives complete in {@code cq}, whichever target took them.
     *
     * @param pd where keys are looked up, those of its receives and those of one-sided requests
     *     that name it
     * @throws VerbsException EINVAL for bad limits or objects of another context; EAGAIN above the
     *     quota; ENOMEM without RAM for the ring
     */
    SharedReceiveQueue createSrq(ProtectionDomain pd, SrqLimits limits, CompletionQueue cq) throws VerbsException;

    /**
     * Creates a target queue pair in RESET ({@code IBV_QPT_XRC_RECV}).
     *
     * @throws VerbsException EAGAIN above the quota; ENOMEM without RAM
     */
    XrcTarget createTarget() throws VerbsException;
}
