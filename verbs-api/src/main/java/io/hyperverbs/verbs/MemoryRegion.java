package io.hyperverbs.verbs;

import java.lang.foreign.MemorySegment;

/**
 * A registered buffer ({@code ibv_mr}). After {@link #close} returns no byte lands through its
 * keys.
 */
public interface MemoryRegion extends VerbsObject {
    /** The registered memory. */
    MemorySegment buffer();

    /** The address of its first byte, as SGEs and remote requests name it. */
    long address();

    long lengthBytes();

    /** Key for this domain's own work requests. */
    int lkey();

    /** Key for peers; 0 if no remote right was asked. */
    int rkey();

    /**
     * The piece of {@code lengthBytes} at {@code offsetBytes}, for records of the readable tier.
     */
    default Sge sge(long offsetBytes, int lengthBytes) {
        return new Sge(address() + offsetBytes, lengthBytes, lkey());
    }
}
