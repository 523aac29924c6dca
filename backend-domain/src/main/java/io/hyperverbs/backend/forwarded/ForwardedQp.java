package io.hyperverbs.backend.forwarded;

import io.hyperverbs.hca.layout.Doorbell;
import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.hca.layout.QueueIndexes;
import io.hyperverbs.verbs.VerbsStatus;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * The backend's end of a forwarded queue pair's rings. Posts, reset and close exclude each other;
 * what entries mean is for the HCA to check.
 */
public final class ForwardedQp {
    private final MemorySegment machine;
    private final long rings;
    private final QueueGeometry geometry;
    private final Doorbell doorbell;
    private final int slot;
    private int sendProducer;
    private int receiveProducer;
    private boolean closed;

    /**
     * @param rings machine address of the ring memory, {@code geometry.totalBytes()} long
     * @param slot doorbell slot
     */
    public ForwardedQp(MemorySegment machine, long rings, QueueGeometry geometry, Doorbell doorbell, int slot) {
        this.machine = machine;
        this.rings = rings;
        this.geometry = geometry;
        this.doorbell = doorbell;
        this.slot = slot;
    }

    /**
     * Copies {@code count} send entries into the ring and rings.
     *
     * @param entries {@code count} strides, exactly
     * @return EINVAL if the bytes are not that or the ring has fewer slots; nothing is done then
     */
    public synchronized VerbsStatus postSend(int count, ByteBuffer entries) {
        int stride = geometry.sendStrideBytes();
        if (!fits(count, geometry.sendEntries(), stride, entries)) {
            return VerbsStatus.EINVAL;
        }
        MemorySegment source = MemorySegment.ofBuffer(entries);
        for (int i = 0; i < count; i++) {
            long target = rings + geometry.sendSlot(sendProducer + i);
            MemorySegment.copy(source, (long) i * stride, machine, target, stride);
        }
        sendProducer += count;
        QueueIndexes.sendProducerRelease(machine, rings, sendProducer);
        doorbell.ring(slot);
        return VerbsStatus.SUCCESS;
    }

    /** As {@link #postSend}, for the receive ring. */
    public synchronized VerbsStatus postReceive(int count, ByteBuffer entries) {
        int stride = geometry.receiveStrideBytes();
        if (!fits(count, geometry.receiveEntries(), stride, entries)) {
            return VerbsStatus.EINVAL;
        }
        MemorySegment source = MemorySegment.ofBuffer(entries);
        for (int i = 0; i < count; i++) {
            long target = rings + geometry.receiveSlot(receiveProducer + i);
            MemorySegment.copy(source, (long) i * stride, machine, target, stride);
        }
        receiveProducer += count;
        QueueIndexes.receiveProducerRelease(machine, rings, receiveProducer);
        doorbell.ring(slot);
        return VerbsStatus.SUCCESS;
    }

    /** Forgets all entries, after the queue pair went to RESET. */
    public synchronized void reset() {
        sendProducer = 0;
        receiveProducer = 0;
        QueueIndexes.sendProducerRelease(machine, rings, 0);
        QueueIndexes.receiveProducerRelease(machine, rings, 0);
    }

    /** After it returns the rings are not written any more. */
    public synchronized void close() {
        closed = true;
    }

    private boolean fits(int count, int capacity, int strideBytes, ByteBuffer entries) {
        return !closed && count >= 1 && count <= capacity && entries.remaining() == (long) count * strideBytes;
    }
}
