package io.hyperverbs.hca.roce;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.port.PortTable;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.qp.QpTable;
import io.hyperverbs.hca.schedule.EngineCost;
import io.hyperverbs.hca.schedule.QpArbiter;
import io.hyperverbs.hca.ud.MulticastTable;
import io.hyperverbs.hca.wire.PacketOpcode.Kind;
import io.hyperverbs.hca.wire.PacketTable;
import io.hyperverbs.verbs.Pkey;
import io.hyperverbs.verbs.UdQueuePair;

/**
 * Leads packets to their queue pair: one of their transport, connected to the port that they come from (IBA 9.6.1.1 to
 * 9.6.1.2.4). All others are dropped and counted, and nobody is answered. Engine thread only.
 */
final class Dispatch {
    private final ContextMemory contexts;
    private final PortTable ports;
    private final QpTable qps;
    private final QpArbiter arbiter;
    private final MulticastTable groups;
    private final CongestionNotifications notifications;
    private final WireQps wires;
    private final RcReplies replies;
    private final RcRequests requests;
    private final UcRequests ucRequests;
    private final UdWire datagrams;
    private final ManagementQueue management;

    Dispatch(
            Wire.Parts parts,
            Ports wirePorts,
            WireQps wires,
            RcReplies replies,
            RcRequests requests,
            UcRequests ucRequests,
            UdWire datagrams,
            ManagementQueue management) {
        this.contexts = parts.contexts();
        this.ports = parts.ports();
        this.qps = parts.qps();
        this.arbiter = parts.arbiter();
        this.groups = parts.groups();
        this.notifications = new CongestionNotifications(wirePorts);
        this.wires = wires;
        this.replies = replies;
        this.requests = requests;
        this.ucRequests = ucRequests;
        this.datagrams = datagrams;
        this.management = management;
    }

    void arrived(Arrival arrival, int port, long nowNanos, Wire.Confinement confinement) {
        if (arrival.destinationQpn() == ManagementDatagram.QPN && ports.isUp(port)) {
            management.arrived(arrival, port);
            return;
        }
        if (arrival.destinationQpn() == UdQueuePair.MULTICAST_QPN) {
            multicast(arrival, port, confinement);
            return;
        }
        Qp qp = ports.isUp(port) ? qps.byNumber(arrival.destinationQpn()) : null;
        if (qp == null || qp.route().port() != port) {
            contexts.count(Counter.RX_DROPPED_PACKETS);
            return;
        }
        try {
            deliver(qp, arrival, port, nowNanos);
        } catch (RuntimeException | Error e) {
            confinement.confine(qp);
        }
    }

    // This HCA's own members have theirs already.
    private void multicast(Arrival arrival, int port, Wire.Confinement confinement) {
        if (!ports.isUp(port)
                || PacketTable.transport(arrival.opcode) != Qp.UD
                || ports.wire().port(arrival.sourceAddress) != 0) {
            return;
        }
        int group = groups.next(arrival.destinationAddress, 0);
        while (group >= 0) {
            for (int i = 0; i < groups.members(group); i++) {
                Qp member = groups.member(group, i);
                if (member != null && member.route().port() == port) {
                    datagram(member, arrival, port, confinement);
                }
            }
            group = groups.next(arrival.destinationAddress, group + 1);
        }
    }

    private void datagram(Qp member, Arrival arrival, int port, Wire.Confinement confinement) {
        try {
            arbiter.chargeFixed(member.share(), EngineCost.request(arrival.payloadBytes()));
            datagrams.arrived(member, port, arrival);
        } catch (RuntimeException | Error e) {
            confinement.confine(member);
        }
    }

    private void deliver(Qp qp, Arrival arrival, int port, long nowNanos) {
        arbiter.chargeFixed(qp.share(), EngineCost.request(arrival.payloadBytes()));
        if (PacketTable.transport(arrival.opcode) == Qp.UD) {
            datagrams.arrived(qp, port, arrival);
            return;
        }
        WireQp wire = wires.find(qp);
        if (wire == null || qp.route().remoteAddress() != arrival.sourceAddress) {
            contexts.count(Counter.UNCONNECTED_REQUESTS);
        } else if (!Pkey.match(qp.route().pkey(), arrival.pkey())) {
            ports.badPkey(port);
        } else {
            connected(qp, wire, arrival, nowNanos);
        }
    }

    private void connected(Qp qp, WireQp wire, Arrival arrival, long nowNanos) {
        int transport = PacketTable.transport(arrival.opcode);
        if (PacketTable.kind(arrival.opcode) == Kind.CNP) {
            qp.context().count(Counter.RP_CNP_HANDLED);
            wire.rate.congested(nowNanos);
            return;
        }
        notifications.look(qp, wire, arrival, nowNanos);
        boolean isReply = PacketTable.kind(arrival.opcode).isResponse();
        if (transport != (isReply ? qp.requesterTransport() : qp.responderTransport())) {
            contexts.count(Counter.UNCONNECTED_REQUESTS);
        } else if (isReply) {
            replies.arrived(qp, wire, arrival, nowNanos);
            arbiter.add(qp.share(), qp.index());
        } else if (!qp.isResponding()) {
            contexts.count(Counter.UNCONNECTED_REQUESTS);
        } else if (transport == Qp.UC) {
            ucRequests.arrived(qp, wire, arrival);
        } else {
            requests.arrived(qp, wire, arrival);
        }
    }
}
