package io.hyperverbs.backend.forwarded;

import io.hyperverbs.hca.layout.SrqGeometry;
import io.hyperverbs.hca.layout.SrqRingLayout;
import io.hyperverbs.hca.layout.SrqRings;
import io.hyperverbs.verbs.VerbsStatus;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.function.Supplier;

/**
 * The backend's end of a forwarded shared receive queue's ring. Posts, resize and close exclude
 * each other; what entries mean is for the HCA to check.
 */
public final class StagedSrq {
    private final MemorySegment machine;
    private long ring;
    private SrqGeometry geometry;
    private int producer;
    private boolean closed;

    /** {@code ring}: machine address of zeroed memory, {@code geometry.totalBytes()} long. */
    public StagedSrq(MemorySegment machine, long ring, SrqGeometry geometry) {
        this.machine = machine;
        this.ring = ring;
        this.geometry = geometry;
    }

    /**
     * Copies {@code count} receive entries into the ring.
     *
     * @param entries {@code count} strides, exactly
     * @return EINVAL if the bytes are not that or the ring has fewer slots; nothing is done then
     */
    public synchronized VerbsStatus post(int count, ByteBuffer entries) {
        int stride = geometry.strideBytes();
        if (closed || count < 1 || count > geometry.entries() || entries.remaining() != (long) count * stride) {
            return VerbsStatus.EINVAL;
        }
        MemorySegment source = MemorySegment.ofBuffer(entries);
        for (int i = 0; i < count; i++) {
            long target = ring + geometry.slot(producer + i);
            MemorySegment.copy(source, (long) i * stride, machine, target, stride);
        }
        producer += count;
        SrqRingLayout.producerIndexRelease(machine, ring, producer);
        return VerbsStatus.SUCCESS;
    }

    /**
     * Copies what is posted into {@code newRing}, has the HCA {@code move} there, and goes on
     * there.
     *
     * @return EINVAL if more is posted than it has room for, or what the HCA says; nothing is
     *     changed then
     */
    public synchronized VerbsStatus resize(long newRing, SrqGeometry newGeometry, Supplier<VerbsStatus> move) {
        int head = SrqRingLayout.headIndexAcquire(machine, ring);
        if (producer - head > newGeometry.entries()) {
            return VerbsStatus.EINVAL;
        }
        SrqRings.copy(machine, ring, geometry, machine, newRing, newGeometry, head, producer);
        VerbsStatus status = move.get();
        if (status == VerbsStatus.SUCCESS) {
            ring = newRing;
            geometry = newGeometry;
        }
        return status;
    }

    /** After it returns the ring is not written any more. */
    public synchronized void close() {
        closed = true;
    }
}
