package io.hyperverbs.upper.dsm.options;

/**
 * What a run chooses; all nodes the same.
 *
 * @param memoryBytes of shared memory, all of it at each node
 * @param handling of messages
 * @param selectivePolling a node that waits for an answer polls meanwhile, whatever {@code handling} is (Liss 2003 §4)
 * @param readersFetch read faults fetch by RDMA read what nobody may write
 * @param transfer of data otherwise
 */
public record DsmOptions(
        long memoryBytes,
        HandlingContext handling,
        boolean selectivePolling,
        boolean readersFetch,
        DataTransfer transfer) {
    private static final long MEMORY_BYTES = 4L << 20;

    public DsmOptions {
        if (memoryBytes < 1) {
            throw new IllegalArgumentException("shared memory of " + memoryBytes + " bytes, must be at least 1");
        }
    }

    /** 4 MiB, handled at events, waiting nodes poll, RDMA read and write. */
    public static DsmOptions standard() {
        return new DsmOptions(MEMORY_BYTES, HandlingContext.EVENT, true, true, DataTransfer.RDMA_WRITE);
    }

    public DsmOptions withMemory(long bytes) {
        return new DsmOptions(bytes, handling, selectivePolling, readersFetch, transfer);
    }

    public DsmOptions withHandling(HandlingContext other, boolean polling) {
        return new DsmOptions(memoryBytes, other, polling, readersFetch, transfer);
    }

    public DsmOptions withTransfer(DataTransfer other, boolean fetching) {
        return new DsmOptions(memoryBytes, handling, selectivePolling, fetching, other);
    }
}
