package io.hyperverbs.verbs;

import java.lang.foreign.MemorySegment;

/**
 * A local key for all memory of the domain, registered or not (the DMA key of Liu 2006 §5.1): by
 * physical addresses, which count the bytes of the domain's RAM from 0. It reaches that RAM and
 * nothing else of the machine, and peers cannot use it. Callable from any thread.
 */
public interface DmaKey extends VerbsObject {
    ProtectionDomain pd();

    /** Key for this domain's own work requests. */
    int lkey();

    /** Bytes of the domain's RAM; addresses stay below it. */
    long lengthBytes();

    /**
     * The physical address of a buffer's first byte.
     *
     * @throws VerbsException EFAULT if it is not RAM of this domain
     */
    long address(MemorySegment buffer) throws VerbsException;

    /** All of {@code buffer}, for records of the readable tier; as {@link #address}. */
    default Sge sge(MemorySegment buffer) throws VerbsException {
        return new Sge(address(buffer), Math.toIntExact(buffer.byteSize()), lkey());
    }
}
