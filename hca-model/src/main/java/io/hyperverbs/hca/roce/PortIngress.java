package io.hyperverbs.hca.roce;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.link.PacketArrivals;
import io.hyperverbs.hca.wire.Icrc;

/** What arrives at one port: batches cut into packets, each checked by its ICRC. Engine thread only. */
final class PortIngress {
    private final PacketArrivals packets;
    private final int port;
    private final Dispatch dispatch;
    private final ContextMemory contexts;
    private final Icrc icrc;
    private final Arrival arrival;

    PortIngress(PacketArrivals packets, int port, Dispatch dispatch, ContextMemory contexts) {
        this.packets = packets;
        this.port = port;
        this.dispatch = dispatch;
        this.contexts = contexts;
        this.icrc = new Icrc(packets.arrived());
        this.arrival = new Arrival(packets.arrived());
    }

    /** Takes what is there, at most a batch. @return how many packets */
    int receive(long nowNanos, Wire.Confinement confinement) {
        int buffers = packets.receive(nowNanos);
        int count = 0;
        for (int i = 0; i < buffers; i++) {
            arrival.sourceAddress = packets.sourceAddress(i);
            arrival.destinationAddress = packets.destinationAddress(i);
            arrival.trafficClass = packets.trafficClass(i);
            int segment = Math.max(1, packets.segmentBytes(i));
            int left = packets.lengthBytes(i);
            for (int number = 0; left > 0; number++) {
                int bytes = Math.min(segment, left);
                long offset = packets.offset(i) + (long) number * segment;
                one(offset, bytes, packets.sourcePort(i), nowNanos, confinement);
                left -= bytes;
                count++;
            }
        }
        return count;
    }

    /** Nanoseconds until something is there that has come already. */
    long nanosToNext(long nowNanos) {
        return packets.nanosToNext(nowNanos);
    }

    private void one(long offset, int bytes, int sourcePort, long nowNanos, Wire.Confinement confinement) {
        int covered = bytes - Icrc.SIZE_BYTES;
        if (!arrival.parse(offset, covered)) {
            contexts.count(Counter.RX_DROPPED_PACKETS);
        } else if (!icrc.matchesForeign(
                offset, covered, arrival.sourceAddress, arrival.destinationAddress, sourcePort, PacketPort.UDP_PORT)) {
            contexts.count(Counter.RX_ICRC_ENCAPSULATED);
        } else {
            dispatch.arrived(arrival, port, nowNanos, confinement);
        }
    }
}
