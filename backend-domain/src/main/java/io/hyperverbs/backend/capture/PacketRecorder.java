package io.hyperverbs.backend.capture;

import io.hyperverbs.hca.capture.CapturedPacket;
import io.hyperverbs.hca.capture.PacketTap;
import io.hyperverbs.vmm.capture.CaptureRecordLayout;
import io.hyperverbs.vmm.capture.CaptureRecordLayout.Field;
import io.hyperverbs.vmm.capture.CaptureRingWriter;
import java.lang.foreign.MemorySegment;
import java.util.function.LongSupplier;

/** Writes packets of some ports to a ring, with the time of now. Engine thread only; neither waits nor allocates. */
final class PacketRecorder implements PacketTap {
    private final CaptureRingWriter ring;
    private final int ports;
    private final int snapBytes;
    private final LongSupplier nanoTime;

    /**
     * @param ports bit n for port n
     * @param snapBytes the most that is taken of a packet
     */
    PacketRecorder(CaptureRingWriter ring, int ports, int snapBytes, LongSupplier nanoTime) {
        this.ring = ring;
        this.ports = ports;
        this.snapBytes = snapBytes;
        this.nanoTime = nanoTime;
    }

    @Override
    public void packet(CapturedPacket packet) {
        if ((ports >>> packet.port & 1) == 0) {
            return;
        }
        int captured = Math.min(packet.lengthBytes, snapBytes);
        long at = ring.begin(CaptureRecordLayout.PACKET, captured);
        if (at == CaptureRingWriter.FULL) {
            return;
        }
        MemorySegment memory = ring.memory();
        CaptureRecordLayout.timeNanos(memory, at, nanoTime.getAsLong());
        CaptureRecordLayout.set(memory, at, Field.PORT, packet.port);
        CaptureRecordLayout.set(memory, at, Field.FATE, packet.fate.code());
        CaptureRecordLayout.set(memory, at, Field.SOURCE_ADDRESS, packet.sourceAddress);
        CaptureRecordLayout.set(memory, at, Field.DESTINATION_ADDRESS, packet.destinationAddress);
        CaptureRecordLayout.set(memory, at, Field.SOURCE_PORT, packet.sourcePort);
        CaptureRecordLayout.set(memory, at, Field.IDENTIFICATION, packet.identification);
        CaptureRecordLayout.set(memory, at, Field.TRAFFIC_CLASS, packet.trafficClass);
        CaptureRecordLayout.set(memory, at, Field.LENGTH_BYTES, packet.lengthBytes);
        MemorySegment.copy(packet.memory, packet.offset, memory, at + CaptureRecordLayout.SIZE_BYTES, captured);
        ring.end();
    }
}
