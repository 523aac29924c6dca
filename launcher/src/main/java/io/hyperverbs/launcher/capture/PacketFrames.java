package io.hyperverbs.launcher.capture;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.hyperverbs.hca.capture.PacketFate;
import io.hyperverbs.hca.wire.BthLayout;
import io.hyperverbs.hca.wire.Icrc;
import io.hyperverbs.launcher.capture.CaptureFrame.Direction;
import io.hyperverbs.vmm.capture.CaptureRecordLayout.Field;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes IPv4 packets of records. The identification of a packet that came is not known to who received it; it is the
 * one that explains the ICRC, or 0. One thread.
 */
final class PacketFrames {
    private static final int UNKNOWN = -1;
    private static final int MOST_BYTES = Icrc.MAX_PACKET_BYTES + Icrc.SIZE_BYTES;
    private static final int MOST_DATAGRAM_BYTES = 0xffff - RocePacketRenderer.HEADER_BYTES;

    private final MemorySegment whole = Arena.ofAuto().allocate(MOST_BYTES);
    private final Icrc icrc = new Icrc(whole);

    CaptureFrame frame(CaptureRecord record) {
        byte[] datagram = record.bytes();
        int wholeBytes = Math.clamp(record.get(Field.LENGTH_BYTES), datagram.length, MOST_DATAGRAM_BYTES);
        RocePacketRenderer.Flow flow = new RocePacketRenderer.Flow(
                record.get(Field.SOURCE_ADDRESS), record.get(Field.DESTINATION_ADDRESS), record.get(Field.SOURCE_PORT));
        int identification = record.get(Field.IDENTIFICATION);
        if (identification == UNKNOWN) {
            identification = datagram.length == wholeBytes ? solve(flow, datagram) : 0;
        }
        PacketFate fate = PacketFate.of(record.get(Field.FATE));
        return new CaptureFrame(
                RocePacketRenderer.render(flow, identification, record.get(Field.TRAFFIC_CLASS), datagram, wholeBytes),
                RocePacketRenderer.HEADER_BYTES + wholeBytes,
                direction(fate),
                fate == null || fate.words().isEmpty() ? List.of() : List.of(fate.words()));
    }

    private static Direction direction(@Nullable PacketFate fate) {
        if (fate == null || fate.isInside()) {
            return Direction.UNKNOWN;
        }
        return fate.isOutbound() ? Direction.OUTBOUND : Direction.INBOUND;
    }

    private int solve(RocePacketRenderer.Flow flow, byte[] datagram) {
        int covered = datagram.length - Icrc.SIZE_BYTES;
        if (covered < BthLayout.SIZE_BYTES || covered > Icrc.MAX_PACKET_BYTES) {
            return 0;
        }
        MemorySegment.copy(datagram, 0, whole, JAVA_BYTE, 0, datagram.length);
        int found = icrc.identification(
                0, covered, flow.sourceIp(), flow.destinationIp(), 0, flow.sourcePort(), BthLayout.UDP_PORT);
        return found == Icrc.NO_IDENTIFICATION ? 0 : found;
    }
}
