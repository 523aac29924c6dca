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
    private final Ports wirePorts;
    private final MulticastTable groups;
    private final CongestionNotifications notifications;
    private final WireQps wires;
    private final RcReplies replies;
    private final RcRequests requests;
    private final UcRequests ucRequests;
    private final UdWire datagrams;
    private final ManagementQueue management;
    private long owedNanos;
    private long unpaidAnswerBytes;

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
        this.wirePorts = wirePorts;
        this.groups = parts.groups();
        this.notifications = new CongestionNotifications(wirePorts);
        this.wires = wires;
        this.replies = replies;
        this.requests = requests;
        this.ucRequests = ucRequests;
        this.datagrams = datagrams;
        this.management = management;
    }

    /** Nanoseconds that other domains are due for packets that a domain pays for, since {@link #takeOwed}. */
    long owed() {
        return owedNanos;
    }

    /** The same; 0 from now on. */
    long takeOwed() {
        long owed = owedNanos;
        owedNanos = 0;
        return owed;
    }

    /** Bytes of answers, sent or due, to packets that no domain pays for, since {@link #takeUnpaidAnswers}. */
    long unpaidAnswers() {
        return unpaidAnswerBytes;
    }

    /** The same; 0 from now on. */
    long takeUnpaidAnswers() {
        long bytes = unpaidAnswerBytes;
        unpaidAnswerBytes = 0;
        return bytes;
    }

    /** @return whether a domain pays for it */
    boolean arrived(Arrival arrival, int port, long nowNanos, Wire.Confinement confinement) {
        int qpn = arrival.destinationQpn();
        boolean isForGroup = qpn == UdQueuePair.MULTICAST_QPN;
        if (!ports.isUp(port)
                || (!isForGroup && arrival.destinationAddress != ports.wire().of(port))) {
            return drop();
        }
        if (isForGroup) {
            return multicast(arrival, port, confinement);
        }
        if (qpn == ManagementDatagram.QPN) {
            management.arrived(arrival, port);
            return false;
        }
        return unicast(qpn, arrival, port, nowNanos, confinement);
    }

    private boolean drop() {
        contexts.count(Counter.RX_DROPPED_PACKETS);
        return false;
    }

    private boolean unicast(int qpn, Arrival arrival, int port, long nowNanos, Wire.Confinement confinement) {
        Qp qp = qps.byNumber(qpn);
        if (qp == null || qp.route().port() != port) {
            return drop();
        }
        try {
            return deliver(qp, arrival, port, nowNanos);
        } catch (RuntimeException | Error e) {
            confinement.confine(qp);
            return true;
        }
    }

    private boolean multicast(Arrival arrival, int port, Wire.Confinement confinement) {
        int group = groups.next(arrival.destinationAddress, 0);
        if (group < 0 || PacketTable.transport(arrival.opcode) != Qp.UD) {
            return drop();
        }
        boolean isTaken = false;
        // This HCA's own members have theirs already.
        boolean isOwn = ports.wire().port(arrival.sourceAddress) != 0;
        while (group >= 0 && !isOwn) {
            for (int i = 0; i < groups.members(group); i++) {
                Qp member = groups.member(group, i);
                if (member != null && member.route().port() == port) {
                    isTaken |= datagram(member, arrival, port, confinement);
                }
            }
            group = groups.next(arrival.destinationAddress, group + 1);
        }
        return isTaken;
    }

    private boolean datagram(Qp member, Arrival arrival, int port, Wire.Confinement confinement) {
        try {
            return unconnected(member, arrival, port);
        } catch (RuntimeException | Error e) {
            confinement.confine(member);
            return true;
        }
    }

    private boolean unconnected(Qp qp, Arrival arrival, int port) {
        boolean isTaken = datagrams.arrived(qp, port, arrival);
        if (isTaken) {
            owedNanos += charge(qp, arrival);
        }
        return isTaken;
    }

    // What a stranger sends is not charged to the domain it is sent to: that would be a way to slow it down.
    private long charge(Qp qp, Arrival arrival) {
        return arbiter.chargeFixed(qp.share(), EngineCost.request(arrival.payloadBytes()));
    }

    private boolean deliver(Qp qp, Arrival arrival, int port, long nowNanos) {
        if (PacketTable.transport(arrival.opcode) == Qp.UD) {
            return unconnected(qp, arrival, port);
        }
        WireQp wire = wires.find(qp);
        if (wire == null || qp.route().remoteAddress() != arrival.sourceAddress) {
            contexts.count(Counter.UNCONNECTED_REQUESTS);
            return false;
        }
        if (!Pkey.match(qp.route().pkey(), arrival.pkey())) {
            ports.badPkey(port);
            return false;
        }
        long owed = charge(qp, arrival);
        int expected = qp.rqPsn();
        int unacked = wire.unackedPsn();
        boolean wasDue = wire.ackDue;
        PacketWriter answers = wirePorts.writer(qp);
        long unsent = answers.begin();
        connected(qp, wire, arrival, nowNanos);
        // Whoever forges the peer's address gets this far, but gets nothing done without a PSN.
        boolean isPaid = qp.rqPsn() != expected || wire.unackedPsn() != unacked;
        if (isPaid) {
            owedNanos += owed;
        } else {
            boolean isDue = wire.ackDue && !wasDue;
            unpaidAnswerBytes += answers.begin() - unsent + (isDue ? RcResponses.ACK_BYTES : 0);
        }
        return isPaid;
    }

    private void connected(Qp qp, WireQp wire, Arrival arrival, long nowNanos) {
        int transport = PacketTable.transport(arrival.opcode);
        Kind kind = PacketTable.kind(arrival.opcode);
        // Of a request the responder says what is wrong with its length.
        if (!kind.isRequest()
                && !PacketTable.allowsPayload(arrival.opcode, arrival.payloadBytes(), qp.pathMtuBytes())) {
            boolean _ = drop();
            return;
        }
        if (kind == Kind.CNP) {
            qp.context().count(Counter.RP_CNP_HANDLED);
            wire.rate.congested(nowNanos);
            return;
        }
        notifications.look(qp, wire, arrival, nowNanos);
        boolean isReply = kind.isResponse();
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
