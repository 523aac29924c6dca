package io.hyperverbs.verbs;

import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * Registrations of one PD that stay while nobody uses them, so that memory which is used again and
 * again is registered once. Without it a transfer out of a program's own buffer pays for a
 * registration and a deregistration, or for a copy.
 *
 * <p>What nobody uses is deregistered when its memory is freed, when a registration of this domain
 * would exceed a quota, oldest first, and by {@link #trim} and {@link #close}. Until then its keys
 * are valid: a peer that was given an rkey can still use it. Whoever must end that at a certain
 * time registers memory itself.
 *
 * <p>Callable from any thread. A buffer that is found costs no call and less than a microsecond.
 */
public interface RegistrationCache extends VerbsObject {
    /**
     * A registration that covers all of {@code buffer} with at least those rights; made, if there is
     * none. It lasts until the lease is closed, and can have several.
     *
     * @param buffer out of {@link Domain#memory()}
     * @throws VerbsException EINVAL for {@link Access#ZERO_BASED}; else as {@link ProtectionDomain#register}
     */
    Lease acquire(MemorySegment buffer, Set<Access> access) throws VerbsException;

    /**
     * Deregisters what nobody uses.
     *
     * @throws VerbsException EIO if the channel failed; what is left stays registered
     */
    void trim() throws VerbsException;

    /** What it did up to now. */
    Statistics statistics();

    /**
     * What caches did.
     *
     * @param hits buffers that were found
     * @param misses buffers that were registered
     * @param evictions registrations that ended to make room for others
     * @param regions that are registered now
     * @param bytes of these
     */
    record Statistics(long hits, long misses, long evictions, int regions, long bytes) {}

    /** The use of a registration for one buffer; closing it deregisters nothing. */
    interface Lease extends VerbsObject {
        MemorySegment buffer();

        /** The address of the buffer's first byte, as SGEs and remote requests name it. */
        long address();

        /** Key for this domain's own work requests. */
        int lkey();

        /** Key for peers; 0 if no remote right was asked by whoever registered it. */
        int rkey();

        /** The SGE of {@code lengthBytes} at {@code offsetBytes} of the buffer. */
        default Sge sge(long offsetBytes, int lengthBytes) {
            return new Sge(address() + offsetBytes, lengthBytes, lkey());
        }
    }
}
