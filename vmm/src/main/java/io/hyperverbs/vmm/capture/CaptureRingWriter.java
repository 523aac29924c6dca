package io.hyperverbs.vmm.capture;

import io.hyperverbs.vmm.capture.CaptureRecordLayout.Field;
import java.lang.foreign.MemorySegment;

/**
 * The writing end of a ring. It never waits: a record that finds no room is dropped and counted. One thread at a time;
 * allocates nothing.
 */
public final class CaptureRingWriter {
    /** What {@link #begin} gives if the ring is full. */
    public static final long FULL = -1;

    private final MemorySegment ring;
    private final long capacity;
    private long written;
    private long knownRead;
    private int openBytes;

    /**
     * @param ring as {@link CaptureRingReader} made it
     * @throws IllegalArgumentException for memory that is no ring
     */
    public CaptureRingWriter(MemorySegment ring) {
        if (!CaptureRingLayout.isFormatted(ring)) {
            throw new IllegalArgumentException("no ring of this version");
        }
        this.ring = ring;
        this.capacity = CaptureRingLayout.capacity(ring);
        this.written = CaptureRingLayout.writtenAcquire(ring);
        this.knownRead = CaptureRingLayout.readAcquire(ring);
    }

    /** The memory that {@link #begin} gives offsets of. */
    public MemorySegment memory() {
        return ring;
    }

    /**
     * Begins a record, whose size and kind are then written.
     *
     * @return its offset, or {@link #FULL}: it is dropped
     */
    public long begin(int kind, int capturedBytes) {
        int bytes = CaptureRecordLayout.recordBytes(capturedBytes);
        long at = written & (capacity - 1);
        long padding = at + bytes > capacity ? capacity - at : 0;
        if (!hasRoom(padding + bytes)) {
            CaptureRingLayout.countDropped(ring);
            return FULL;
        }
        if (padding > 0) {
            long record = CaptureRingLayout.HEADER_BYTES + at;
            CaptureRecordLayout.set(ring, record, Field.RECORD_BYTES, (int) padding);
            CaptureRecordLayout.set(ring, record, Field.KIND, CaptureRecordLayout.PADDING);
            written += padding;
        }
        openBytes = bytes;
        long record = CaptureRingLayout.HEADER_BYTES + (written & (capacity - 1));
        CaptureRecordLayout.set(ring, record, Field.RECORD_BYTES, bytes);
        CaptureRecordLayout.set(ring, record, Field.KIND, kind);
        CaptureRecordLayout.set(ring, record, Field.CAPTURED_BYTES, capturedBytes);
        return record;
    }

    /** Publishes the record that {@link #begin} gave. */
    public void end() {
        written += openBytes;
        openBytes = 0;
        CaptureRingLayout.publishWrittenRelease(ring, written);
    }

    private boolean hasRoom(long bytes) {
        if (written + bytes - knownRead <= capacity) {
            return true;
        }
        knownRead = CaptureRingLayout.readAcquire(ring);
        return written + bytes - knownRead <= capacity;
    }
}
