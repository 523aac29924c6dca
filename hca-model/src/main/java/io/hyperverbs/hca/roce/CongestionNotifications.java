package io.hyperverbs.hca.roce;

import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.wire.CnpLayout;

/**
 * The notification point of DCQCN: tells a peer whose packets were marked on their way, at most once in 50 us for each
 * queue pair (IBA annex A17.9). Engine thread only.
 */
final class CongestionNotifications {
    private static final long INTERVAL_NANOS = 50_000;
    /** DSCP 48: such packets pass the queue that they tell of. */
    private static final int NETWORK_CONTROL = 48 << 2;

    private static final int ECN = 3;
    private static final int CONGESTION_EXPERIENCED = 3;

    private final Ports ports;

    CongestionNotifications(Ports ports) {
        this.ports = ports;
    }

    /** Looks at how a packet of the queue pair's peer came. */
    void look(Qp qp, WireQp wire, Arrival arrival, long nowNanos) {
        if ((arrival.trafficClass & ECN) != CONGESTION_EXPERIENCED) {
            return;
        }
        qp.context().count(Counter.NP_ECN_MARKED_ROCE_PACKETS);
        PacketWriter writer = ports.writer(qp);
        if (nowNanos - wire.notifiedNanos < INTERVAL_NANOS || !writer.hasRoom(1)) {
            return;
        }
        wire.notifiedNanos = nowNanos;
        qp.context().count(Counter.NP_CNP_SENT);
        CnpLayout.write(writer.memory(), writer.begin(), qp.route().pkey(), qp.destinationQpn());
        ports.end(qp, CnpLayout.SIZE_BYTES, NETWORK_CONTROL);
    }
}
