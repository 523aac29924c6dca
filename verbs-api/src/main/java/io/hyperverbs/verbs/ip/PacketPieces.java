package io.hyperverbs.verbs.ip;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The bytes of a packet, piece after piece, in memory that is not of the heap. One thread. */
public final class PacketPieces {
    /** The most that a packet has. */
    public static final int MOST = 64;

    private final long[] offsets = new long[MOST];
    private final int[] lengths = new int[MOST];
    private @Nullable MemorySegment memory;
    private int count;

    /** None yet, and all of one memory. */
    public PacketPieces clear(MemorySegment from) {
        memory = from;
        count = 0;
        return this;
    }

    /**
     * The next piece; there must be fewer than {@link #MOST}.
     *
     * @throws IndexOutOfBoundsException if it is not in the memory
     */
    public PacketPieces add(long offset, int lengthBytes) {
        long _ = Objects.checkFromIndexSize(offset, lengthBytes, memory().byteSize());
        offsets[count] = offset;
        lengths[count] = lengthBytes;
        count++;
        return this;
    }

    /** What all pieces are of. */
    public MemorySegment memory() {
        return Objects.requireNonNull(memory, "clear");
    }

    public int count() {
        return count;
    }

    public long offset(int piece) {
        return offsets[piece];
    }

    public int lengthBytes(int piece) {
        return lengths[piece];
    }
}
