package io.hyperverbs.hca.capture;

import org.jspecify.annotations.Nullable;

/**
 * Where a capture is attached to the HCA. Without one, each packet costs one look at a field. Engine thread only.
 */
public final class CapturePoint {
    private final CapturedPacket packet = new CapturedPacket();
    private @Nullable PacketTap tap;

    /** Hands what passes to {@code to} from now on; null: to nobody. */
    public void attach(@Nullable PacketTap to) {
        tap = to;
    }

    /** Whether anybody captures. */
    boolean isAttached() {
        return tap != null;
    }

    /** The packet to be filled and {@link #take}n; null if nobody captures. */
    public @Nullable CapturedPacket begin(int port, PacketFate fate) {
        if (tap == null) {
            return null;
        }
        packet.port = port;
        packet.fate = fate;
        packet.identification = CapturedPacket.UNKNOWN;
        packet.trafficClass = 0;
        return packet;
    }

    /** Hands over what {@link #begin} gave. A tap that throws is one no more, and the packet goes on. */
    public void take(CapturedPacket filled) {
        PacketTap to = tap;
        if (to == null) {
            return;
        }
        try {
            to.packet(filled);
        } catch (RuntimeException | Error e) {
            tap = null;
        }
    }
}
