package io.hyperverbs.hca.roce;

import io.hyperverbs.hca.capture.CapturePoint;
import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.link.LinkSettings;
import io.hyperverbs.hca.link.Links;
import io.hyperverbs.hca.port.PortTable;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.qp.QpTable;
import io.hyperverbs.hca.rc.Answers;
import io.hyperverbs.hca.rc.Responder;
import io.hyperverbs.hca.schedule.QpArbiter;
import io.hyperverbs.hca.schedule.TimerWheel;
import io.hyperverbs.hca.transport.Completer;
import io.hyperverbs.hca.transport.Fabric;
import io.hyperverbs.hca.transport.QpErrors;
import io.hyperverbs.hca.transport.RequestCheck;
import io.hyperverbs.hca.uc.UcResponder;
import io.hyperverbs.hca.ud.MulticastTable;
import io.hyperverbs.hca.ud.RemoteDatagrams;
import io.hyperverbs.hca.ud.UdResponder;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The wire of an HCA: RoCEv2 packets out of its ports and into them (docs/wire.md). What arrives is hostile until it is
 * checked: a packet reaches a queue pair only from the port that it is connected to. Engine thread only.
 */
public final class Wire {
    /** Packets that acknowledgements wait for: half of what a sender with the shortest window may have on the way. */
    private static final int MOST_UNACKNOWLEDGED = 32;

    private final Ports ports;
    private final WireQps wires;
    private final WireTimers timers;
    private final QpTable qps;
    private final RcWire reliable;
    private final UcWire unreliable;
    private final UdWire datagrams;
    private final RcReplies replies;
    private final RcResponses responses;
    private final ManagementQueue management;
    private final Links links;
    private final WireArrivals arrivals;
    private final Dispatch dispatch;
    private final UnpaidTime unpaidTime;
    private boolean acknowledgementsWait;
    private int came;
    private int unacknowledged;

    /** What of the HCA the wire works on. */
    public record Parts(
            ContextMemory contexts,
            PortTable ports,
            QpTable qps,
            TimerWheel timers,
            QpArbiter arbiter,
            QpErrors errors,
            RequestCheck check,
            Completer completer,
            Answers answers,
            Responder responder,
            UcResponder ucResponder,
            UdResponder udResponder,
            MulticastTable groups,
            CapturePoint capture) {}

    /**
     * A wire with those ports, port 1 first.
     *
     * @param packetPorts as many as {@code parts.ports().wire()} has addresses; none: an HCA without a wire
     */
    public Wire(Parts parts, List<PacketPort> packetPorts) {
        List<PacketWriter> writers = new ArrayList<>();
        for (int port = 1; port <= packetPorts.size(); port++) {
            PacketWriter.Port place =
                    new PacketWriter.Port(port, parts.ports().wire().of(port));
            writers.add(new PacketWriter(packetPorts.get(port - 1), place, parts.capture()));
        }
        qps = parts.qps();
        ports = new Ports(writers, parts.contexts());
        wires = new WireQps(qps.capacity());
        timers = new WireTimers(parts.timers());
        reliable = new RcWire(ports, wires, timers, parts.contexts(), parts.answers(), parts.check());
        unreliable = new UcWire(ports, wires, timers, parts.contexts(), parts.check(), parts.completer());
        datagrams =
                new UdWire(ports, timers, parts.ports().wire(), parts.udResponder(), parts.contexts(), qps.capacity());
        replies = new RcReplies(timers, parts.answers(), parts.check(), parts.contexts());
        responses = new RcResponses(ports, parts.responder(), parts.arbiter(), parts.contexts(), qps.capacity());
        management = new ManagementQueue(parts.ports(), ports, parts.contexts());
        RcRequests requests = new RcRequests(parts.responder(), responses, parts.errors(), parts.contexts());
        UcRequests ucRequests = new UcRequests(parts.ucResponder(), parts.contexts());
        dispatch = new Dispatch(parts, ports, wires, replies, requests, ucRequests, datagrams, management);
        links = new Links(parts.contexts(), parts.capture());
        unpaidTime = new UnpaidTime();
        arrivals = new WireArrivals(packetPorts, links, dispatch, parts.contexts(), parts.capture(), unpaidTime);
    }

    /** Whether there is any port to send from. */
    public boolean hasPorts() {
        return ports.count() > 0;
    }

    /** Fabric of RC and XRC. */
    public Fabric reliable() {
        return reliable;
    }

    /** Fabric of UC. */
    public Fabric unreliable() {
        return unreliable;
    }

    public RemoteDatagrams datagrams() {
        return datagrams;
    }

    /** QP1 of the ports. */
    public ManagementQueue management() {
        return management;
    }

    /** Sends a management datagram; it may be lost. */
    public void send(ManagementDatagram datagram) {
        management.send(datagram);
    }

    /** What a throwable from a packet of a queue pair does. */
    public interface Confinement {
        void confine(Qp qp);
    }

    /**
     * Takes packets that have arrived; {@link #flush} acknowledges them.
     *
     * @param isBusy whether queue pairs have work: packets that no domain pays for get a part of the time then
     * @return how many
     */
    public int receive(long nowNanos, boolean isBusy, Confinement confinement) {
        int packets = arrivals.receive(nowNanos, isBusy, confinement);
        came = packets;
        return packets;
    }

    /** Measures by that clock what packets take that no domain pays for; before the first turn. */
    public void useClock(LongSupplier clock) {
        unpaidTime.useClock(clock);
    }

    /** Nanoseconds until a packet is there that has come already, and is delayed. */
    public long nanosToNext(long nowNanos) {
        return arrivals.nanosToNext(nowNanos);
    }

    /** The links of the ports. */
    public Links links() {
        return links;
    }

    /** Sets what happens to packets on a link of a port; what the last impairment of a port held back comes now. */
    public VerbsStatus impair(int port, int address, LinkSettings settings, long nowNanos, Confinement confinement) {
        return arrivals.impair(port, address, settings, nowNanos, confinement);
    }

    /**
     * Sends what was written, and behind it acknowledgements of what has arrived, in the same system call. Where nothing
     * else goes out, they wait while packets come, and for the turn after: each costs as much as a dozen packets of a
     * stream, and who answers a short message at once has its answer on the way before them.
     *
     * @return whether something went, or waits for the next turn
     */
    public boolean flush(long nowNanos) {
        boolean isUnpaid = dispatch.unpaidAnswers() > 0;
        long begin = isUnpaid ? unpaidTime.time(nowNanos) : 0;
        acknowledge();
        long bytes = ports.unsentBytes();
        boolean went = ports.flush();
        if (went && isUnpaid) {
            unpaidTime.answered(Math.min(dispatch.takeUnpaidAnswers(), bytes), bytes, begin, nowNanos);
        }
        return went || acknowledgementsWait;
    }

    private void acknowledge() {
        unacknowledged += came;
        boolean isOver = acknowledgementsWait && came == 0;
        came = 0;
        if (isOver || unacknowledged >= MOST_UNACKNOWLEDGED || ports.isSending()) {
            responses.endBatch(qps, wires);
            acknowledgementsWait = false;
        } else {
            acknowledgementsWait = responses.areDue();
        }
        unacknowledged = acknowledgementsWait ? unacknowledged : 0;
    }

    /** Whether the network had no room for some of what was written: {@link #flush} again soon. */
    public boolean isSending() {
        return ports.isSending();
    }

    /** Whether the queue pair owes its peer an answer that waits for a turn. */
    public boolean owes(Qp qp) {
        WireQp wire = wires.find(qp);
        return wire != null && responses.isPending(qp, wire);
    }

    /** Answers the peer of a queue pair that {@link #owes}. @return bytes moved */
    public long respond(Qp qp) {
        return responses.respond(qp, wires.of(qp));
    }

    /** Whether the timer of the queue pair is the wire's: else nothing happened. */
    public boolean timeout(Qp qp, long nowNanos) {
        WireQp wire = wires.find(qp);
        if (wire == null) {
            return false;
        }
        if (timers.fired(qp, wire, nowNanos)) {
            replies.overdue(qp, wire);
        }
        return true;
    }

    /** Follows a change of a queue pair's attributes or state. */
    public void follow(Qp qp) {
        wires.follow(qp);
        datagrams.follow(qp);
    }

    /** The queue pair is being destroyed. */
    public void forget(Qp qp) {
        wires.forget(qp);
        datagrams.forget(qp);
    }
}
