package io.hyperverbs.verbs;

import java.lang.foreign.MemorySegment;

/**
 * A registered buffer ({@code ibv_mr}). After {@link #close} returns no byte lands through its
 * keys.
 */
public interface MemoryRegion extends VerbsObject {
    /** The registered memory. */
    MemorySegment buffer();

    ProtectionDomain pd();

    /**
     * The address of its first byte, as SGEs and remote requests name it; 0 of a region that is
     * ZERO_BASED.
     */
    long address();

    long lengthBytes();

    /** Key for this domain's own work requests. */
    int lkey();

    /** Key for peers; 0 if no remote right was asked. */
    int rkey();

    /**
     * Re-registers it in one step ({@code ibv_rereg_mr}): it gets new keys, and after this
     * returns no byte lands through the old ones. When it is refused nothing has changed; only
     * after EIO or ENOSPC its keys may have ended, and it should be closed.
     *
     * @throws VerbsException EINVAL for no change at all, or a PD of another context; EBUSY while
     *     windows are bound to it; else as {@link ProtectionDomain#register}
     */
    void reregister(RegionChange change) throws VerbsException;

    /**
     * The SGE of {@code lengthBytes} at {@code offsetBytes}, for records of the readable tier.
     */
    default Sge sge(long offsetBytes, int lengthBytes) {
        return new Sge(address() + offsetBytes, lengthBytes, lkey());
    }
}
