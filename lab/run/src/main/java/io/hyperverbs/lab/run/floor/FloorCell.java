package io.hyperverbs.lab.run.floor;

/**
 * What is measured in a round.
 *
 * @param bytes of payload; 0 where the floor has no sizes
 * @param batch messages of a stream that are asked for at once, {@code outstanding} at most
 * @param outstanding messages of a stream that are not known to be complete, {@link #MOST_OUTSTANDING} at most
 */
public record FloorCell(Floor floor, int bytes, int batch, int outstanding) {
    public static final int MOST_OUTSTANDING = FloorRing.ENTRIES;

    /** The longest message of a stream. */
    public static final int MOST_BYTES = FloorMemory.MOST_BYTES;

    private static final int BATCH = 64;
    private static final int OUTSTANDING = 128;

    /** With the standard batch. */
    public FloorCell(Floor floor, int bytes) {
        this(floor, bytes, BATCH, OUTSTANDING);
    }
}
