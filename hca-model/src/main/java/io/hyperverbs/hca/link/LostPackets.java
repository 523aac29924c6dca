package io.hyperverbs.hca.link;

import io.hyperverbs.hca.capture.CapturePoint;
import io.hyperverbs.hca.capture.CapturedPacket;
import io.hyperverbs.hca.capture.PacketFate;

/** Shows captures the packets that a link keeps from a port. Engine thread only; allocates nothing. */
record LostPackets(CapturePoint capture, int port) {
    /** So many bytes of a buffer of what arrived, which begin at {@code at} of it. */
    void packet(PacketArrivals from, int buffer, int at, int bytes, PacketFate fate) {
        CapturedPacket packet = capture.begin(port, fate);
        if (packet != null) {
            packet.at(from.arrived(), from.offset(buffer) + at, bytes)
                    .between(from.sourceAddress(buffer), from.sourcePort(buffer), from.destinationAddress(buffer));
            packet.trafficClass = from.trafficClass(buffer);
            capture.take(packet);
        }
    }

    /** A packet that was under way in a slot. */
    void packet(PacketSlots slots, int slot, PacketFate fate) {
        CapturedPacket packet = capture.begin(port, fate);
        if (packet != null) {
            packet.at(slots.memory, PacketSlots.offset(slot), slots.lengthBytes[slot])
                    .between(slots.sourceAddress[slot], slots.sourcePort[slot], slots.destinationAddress[slot]);
            packet.trafficClass = slots.trafficClass[slot];
            capture.take(packet);
        }
    }
}
