package io.hyperverbs.hca.roce;

import io.hyperverbs.hca.capture.CapturePoint;
import io.hyperverbs.hca.capture.CapturedPacket;
import io.hyperverbs.hca.capture.PacketFate;
import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.link.PacketArrivals;
import io.hyperverbs.hca.wire.Icrc;

/**
 * What arrives at one port: batches cut into packets, each checked by its ICRC. Of a long batch some are left for the
 * next look, so that whoever floods the port does not keep the engine from its queue pairs. Engine thread only.
 */
final class PortIngress {
    /**
     * Packets that no domain is charged for between two looks at anything else. There is no such limit for others: a
     * turn must be able to take as many as it sends.
     */
    static final int MOST_UNCHARGED = 128;

    private final PacketArrivals packets;
    private final int port;
    private final Dispatch dispatch;
    private final ContextMemory contexts;
    private final CapturePoint capture;
    private final Icrc icrc;
    private final Arrival arrival;
    // The batch, and where in it the next packet begins.
    private int buffers;
    private int buffer;
    private int at;

    PortIngress(PacketArrivals packets, int port, Dispatch dispatch, ContextMemory contexts, CapturePoint capture) {
        this.packets = packets;
        this.port = port;
        this.dispatch = dispatch;
        this.contexts = contexts;
        this.capture = capture;
        this.icrc = new Icrc(packets.arrived());
        this.arrival = new Arrival(packets.arrived());
    }

    /** Takes what is there, at most a batch, and at most {@link #MOST_UNCHARGED} of strangers. @return how many packets */
    int receive(long nowNanos, Wire.Confinement confinement) {
        if (!isInBatch()) {
            buffers = packets.receive(nowNanos);
            buffer = 0;
        }
        int count = 0;
        int uncharged = 0;
        while (uncharged < MOST_UNCHARGED && isInBatch()) {
            uncharged += next(nowNanos, confinement) ? 0 : 1;
            count++;
        }
        return count;
    }

    /** Whether packets of a batch are left, which are lost if nobody {@link #receive}s them. */
    boolean isInBatch() {
        return buffer < buffers;
    }

    /** Nanoseconds until something is there that has come already. */
    long nanosToNext(long nowNanos) {
        return isInBatch() ? 0 : packets.nanosToNext(nowNanos);
    }

    // A datagram without a byte is one too. False if no domain is charged for it.
    private boolean next(long nowNanos, Wire.Confinement confinement) {
        int i = buffer;
        arrival.sourceAddress = packets.sourceAddress(i);
        arrival.destinationAddress = packets.destinationAddress(i);
        arrival.trafficClass = packets.trafficClass(i);
        long offset = packets.offset(i) + at;
        int left = packets.lengthBytes(i) - at;
        int bytes = Math.min(Math.max(1, packets.segmentBytes(i)), left);
        at += bytes;
        if (bytes == left) {
            buffer++;
            at = 0;
        }
        return one(offset, bytes, packets.sourcePort(i), nowNanos, confinement);
    }

    private boolean one(long offset, int bytes, int sourcePort, long nowNanos, Wire.Confinement confinement) {
        int covered = bytes - Icrc.SIZE_BYTES;
        if (!arrival.parse(offset, covered)) {
            contexts.count(Counter.RX_DROPPED_PACKETS);
            seen(offset, bytes, sourcePort, PacketFate.MALFORMED);
            return false;
        }
        if (!icrc.matchesForeign(
                offset, covered, arrival.sourceAddress, arrival.destinationAddress, sourcePort, PacketPort.UDP_PORT)) {
            contexts.count(Counter.RX_ICRC_ENCAPSULATED);
            seen(offset, bytes, sourcePort, PacketFate.BAD_ICRC);
            return false;
        }
        seen(offset, bytes, sourcePort, PacketFate.RECEIVED);
        return dispatch.arrived(arrival, port, nowNanos, confinement);
    }

    private void seen(long offset, int bytes, int sourcePort, PacketFate fate) {
        CapturedPacket packet = capture.begin(port, fate);
        if (packet != null) {
            packet.at(packets.arrived(), offset, bytes)
                    .between(arrival.sourceAddress, sourcePort, arrival.destinationAddress);
            packet.trafficClass = arrival.trafficClass;
            capture.take(packet);
        }
    }
}
