package io.hyperverbs.vmm.capture;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.hyperverbs.vmm.posix.Fd;
import io.hyperverbs.vmm.posix.Memfd;
import io.hyperverbs.vmm.posix.MemoryMap;
import io.hyperverbs.vmm.posix.PosixException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Makes a ring in a memfd of its own, and empties it. One thread at a time. */
public final class CaptureRingReader implements AutoCloseable {
    private static final byte[] NOTHING = new byte[0];

    private final Arena arena;
    private final Fd memfd;
    private final MemorySegment ring;
    private final long capacity;
    private long read;

    private CaptureRingReader(Arena arena, Fd memfd, MemorySegment ring) {
        this.arena = arena;
        this.memfd = memfd;
        this.ring = ring;
        this.capacity = CaptureRingLayout.capacity(ring);
    }

    /**
     * Makes an empty ring.
     *
     * @param capacityBytes a power of two, at least a page
     * @throws PosixException ENOMEM if the computer cannot spare that much
     */
    public static CaptureRingReader create(long capacityBytes) throws PosixException {
        long total = CaptureRingLayout.HEADER_BYTES + capacityBytes;
        Fd memfd = Memfd.create("capture", total, false);
        Arena arena = Arena.ofShared();
        try {
            MemorySegment ring = MemoryMap.map(memfd, total, false, arena);
            CaptureRingLayout.format(ring);
            return new CaptureRingReader(arena, memfd, ring);
        } catch (PosixException | RuntimeException e) {
            arena.close();
            memfd.close();
            throw e;
        }
    }

    /** Of its memfd. */
    public long sizeBytes() {
        return ring.byteSize();
    }

    /** A descriptor for the writer, whose sender closes it. */
    public Fd descriptor() throws PosixException {
        return memfd.duplicate();
    }

    /**
     * Takes what is there, records one after the other; what ends within one goes on with the next call.
     *
     * @throws IllegalStateException if the writer does not keep to the layout
     */
    public byte[] read(int mostBytes) {
        long there = CaptureRingLayout.writtenAcquire(ring) - read;
        if (there < 0 || there > capacity) {
            throw new IllegalStateException(there + " bytes in a ring of " + capacity);
        }
        long at = read & (capacity - 1);
        int bytes = (int) Math.min(Math.min(there, capacity - at), mostBytes);
        if (bytes == 0) {
            return NOTHING;
        }
        byte[] copy = new byte[bytes];
        MemorySegment.copy(ring, JAVA_BYTE, CaptureRingLayout.HEADER_BYTES + at, copy, 0, bytes);
        read += bytes;
        CaptureRingLayout.publishReadRelease(ring, read);
        return copy;
    }

    /** How many records found no room so far. */
    public long dropped() {
        return CaptureRingLayout.droppedAcquire(ring);
    }

    @Override
    public void close() {
        arena.close();
        memfd.close();
    }
}
