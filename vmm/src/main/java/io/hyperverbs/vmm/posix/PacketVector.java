package io.hyperverbs.vmm.posix;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * What a call on a {@link PacketFile} reads or writes: the header of a packet, and the packet, piece after piece, as an array
 * of {@code struct iovec} in the computer's byte order, 64 bit. Memory of pieces is not of the heap; whoever owns it keeps
 * it. Allocates nothing after its making; one thread at a time.
 *
 * <pre>
 *  byte  0 address of the piece   8 its bytes; 16 each, the first is the header's
 * </pre>
 */
public final class PacketVector {
    /** Of a {@code struct virtio_net_hdr}, which is before each packet. */
    public static final int HEADER_BYTES = 10;

    private static final long VECTOR_BYTES = 16;
    private static final long LENGTH_OFFSET = 8;

    private final MemorySegment header;
    private final MemorySegment vectors;
    private int count = 1;
    private long packetBytes;

    /**
     * @param mostPieces of a packet
     */
    public PacketVector(int mostPieces) {
        Arena arena = Arena.ofAuto();
        header = arena.allocate(HEADER_BYTES, Long.BYTES);
        vectors = arena.allocate((1 + mostPieces) * VECTOR_BYTES, VECTOR_BYTES);
        set(0, header.address(), HEADER_BYTES);
    }

    /** The header, {@value #HEADER_BYTES} bytes; zero at first, which leaves nothing to do. */
    public MemorySegment header() {
        return header;
    }

    /** No piece yet. */
    public PacketVector clear() {
        count = 1;
        packetBytes = 0;
        return this;
    }

    /**
     * The next piece: part of memory.
     *
     * @throws IndexOutOfBoundsException if it is not in memory, or there are as many as there can be
     */
    public PacketVector add(MemorySegment memory, long offset, long lengthBytes) {
        long _ = Objects.checkFromIndexSize(offset, lengthBytes, memory.byteSize());
        set(count, memory.address() + offset, lengthBytes);
        count++;
        packetBytes += lengthBytes;
        return this;
    }

    private void set(int vector, long address, long lengthBytes) {
        vectors.set(JAVA_LONG, vector * VECTOR_BYTES, address);
        vectors.set(JAVA_LONG, vector * VECTOR_BYTES + LENGTH_OFFSET, lengthBytes);
    }

    MemorySegment vectors() {
        return vectors;
    }

    /** With that of the header. */
    int count() {
        return count;
    }

    /** Of all pieces. */
    long packetBytes() {
        return packetBytes;
    }
}
