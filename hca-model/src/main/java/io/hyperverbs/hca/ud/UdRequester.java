package io.hyperverbs.hca.ud;

import io.hyperverbs.hca.capture.MessageCapture;
import io.hyperverbs.hca.capture.PacketFate;
import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.hca.port.PortTable;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.qp.QpTable;
import io.hyperverbs.hca.qp.SendQueue;
import io.hyperverbs.hca.tpt.CompletionError;
import io.hyperverbs.hca.transport.Completer;
import io.hyperverbs.hca.transport.Message;
import io.hyperverbs.hca.transport.RequestCheck;
import io.hyperverbs.hca.transport.SgList;
import io.hyperverbs.hca.transport.UnacknowledgedRequester;
import io.hyperverbs.verbs.GlobalRoute;
import io.hyperverbs.verbs.UdQueuePair;
import io.hyperverbs.verbs.VendorError;
import io.hyperverbs.verbs.VerbsStatus;
import org.jspecify.annotations.Nullable;

/**
 * The requester of UD. A datagram to a port is one {@link #step}; one to a group is a step for each
 * {@link #MEMBERS_AT_ONCE} members. The requester is not notified whether a member took it.
 */
public final class UdRequester implements UnacknowledgedRequester {
    private static final int MEMBERS_AT_ONCE = 16;

    private final QpTable qps;
    private final AhTable handles;
    private final MulticastTable groups;
    private final RequestCheck check;
    private final ContextMemory contexts;
    private final UdResponder responder;
    private final Completer completer;
    private final PortTable ports;
    private final RemoteDatagrams wire;
    private final MessageCapture capture;
    private final Message datagram = new Message();
    private final SgList local;
    private final CompletionError error = new CompletionError();
    // Where the datagram now under way goes; found by judge.
    private @Nullable AddressVector vector;

    public UdRequester(
            QpTable qps,
            AhTable handles,
            MulticastTable groups,
            RequestCheck check,
            ContextMemory contexts,
            UdResponder responder,
            Completer completer,
            PortTable ports,
            RemoteDatagrams wire,
            MessageCapture capture) {
        this.capture = capture;
        this.wire = wire;
        this.qps = qps;
        this.handles = handles;
        this.groups = groups;
        this.check = check;
        this.contexts = contexts;
        this.responder = responder;
        this.completer = completer;
        this.ports = ports;
        this.local = new SgList(contexts.memory());
    }

    @Override
    public long step(Qp qp, long nowNanos) {
        SendQueue sends = qp.sends();
        if (!sends.isBusy()) {
            sends.fetch();
            VerbsStatus form = form(qp);
            if (form != VerbsStatus.SUCCESS) {
                completer.sendFailed(qp, form, error);
                return 0;
            }
        }
        VerbsStatus status = judge(qp);
        AddressVector towards = vector;
        if (status != VerbsStatus.SUCCESS || towards == null) {
            completer.sendFailed(qp, status, error);
            return 0;
        }
        describe(qp, towards);
        if (towards.address() != 0) {
            return remote(qp, towards, nowNanos);
        }
        return AddressCheck.isMulticast(towards.lid()) ? multicast(qp, towards, nowNanos) : unicast(qp, towards);
    }

    private VerbsStatus form(Qp qp) {
        SendQueue sends = qp.sends();
        int opcode = sends.opcode();
        if (opcode != SendWqeLayout.OPCODE_SEND && opcode != SendWqeLayout.OPCODE_SEND_WITH_IMM) {
            error.set(VendorError.UNKNOWN_OPCODE);
            return VerbsStatus.LOC_QP_OP_ERR;
        }
        VerbsStatus status = check.form(qp, error);
        if (status == VerbsStatus.SUCCESS
                && sends.lengthBytes() > ports.settings().mtuBytes()) {
            error.set(VendorError.MESSAGE_TOO_LONG, 0, 0, 0, sends.lengthBytes());
            return VerbsStatus.LOC_LEN_ERR;
        }
        return status;
    }

    // Checked again at each step: a handle or region may be destroyed in between.
    private VerbsStatus judge(Qp qp) {
        SendQueue sends = qp.sends();
        int number = SendWqeLayout.ah(sends.copies(), sends.copy());
        vector = handles.find(qp.pd(), number);
        if (vector == null) {
            error.set(VendorError.AH_NOT_IN_PD, number, qp.pd(), 0, 0);
            return VerbsStatus.LOC_QP_OP_ERR;
        }
        if (vector.to().port() != qp.port()) {
            error.set(VendorError.AH_OTHER_PORT);
            return VerbsStatus.LOC_QP_OP_ERR;
        }
        if (!check.local(qp, 0, local, error)) {
            RequestCheck.nameRevoked(qp, error);
            return VerbsStatus.LOC_PROT_ERR;
        }
        return VerbsStatus.SUCCESS;
    }

    private void describe(Qp qp, AddressVector towards) {
        SendQueue sends = qp.sends();
        datagram.describe(qp, 1);
        datagram.destinationPort = qp.route().isPortUp() ? ports.reachable(towards.lid()) : 0;
        datagram.destinationQpn = SendWqeLayout.remoteQpn(sends.copies(), sends.copy());
        datagram.serviceLevel = towards.to().serviceLevel();
        int qkey = SendWqeLayout.remoteQkey(sends.copies(), sends.copy());
        // The high bit asks for the sender's own (IBA 10.2.5, Q_Keys).
        datagram.qkey = qkey < 0 ? qp.qkey() : qkey;
    }

    private long unicast(Qp qp, AddressVector towards) {
        Qp receiver = datagram.destinationPort != 0 ? qps.byNumber(datagram.destinationQpn) : null;
        boolean isTaken = false;
        if (receiver == null || !towards.leadsTo(receiver)) {
            contexts.count(Counter.RX_DROPPED_MESSAGES);
        } else {
            isTaken = responder.deliver(receiver, datagram, towards, local);
        }
        show(qp, isTaken ? PacketFate.INSIDE : PacketFate.UNANSWERED);
        sent(qp);
        return isTaken ? datagram.lengthBytes : 0;
    }

    private long remote(Qp qp, AddressVector towards, long nowNanos) {
        if (!wire.send(qp, datagram, towards, towards.address(), local, nowNanos)) {
            return 0;
        }
        sent(qp);
        return datagram.lengthBytes;
    }

    /** Members on other HCAs; false if the network takes no datagram at the moment. */
    private boolean remoteGroup(Qp qp, AddressVector towards, long nowNanos) {
        GlobalRoute route = towards.to().route();
        boolean isOnWire = qp.route().sourceAddress() != 0 && datagram.destinationQpn == UdQueuePair.MULTICAST_QPN;
        return route == null
                || !isOnWire
                || wire.send(qp, datagram, towards, GroupNetwork.address(route.destination()), local, nowNanos);
    }

    private long multicast(Qp qp, AddressVector towards, long nowNanos) {
        SendQueue sends = qp.sends();
        MulticastGroup group = qp.route().isPortUp() && datagram.destinationQpn == UdQueuePair.MULTICAST_QPN
                ? groups.of(towards)
                : null;
        int from = (int) sends.doneBytes();
        if (from == 0 && !remoteGroup(qp, towards, nowNanos)) {
            return 0;
        }
        if (from == 0) {
            show(qp, group == null ? PacketFate.UNANSWERED : PacketFate.INSIDE);
        }
        if (group == null) {
            contexts.count(Counter.RX_DROPPED_MESSAGES);
            sent(qp);
            return 0;
        }
        // Members so far. Those who leave in between move others up: one of these may miss it.
        int to = Math.min(from + MEMBERS_AT_ONCE, group.size());
        long moved = 0;
        for (int i = from; i < to; i++) {
            Qp member = group.member(i);
            // Each port that has members gets its copy.
            datagram.destinationPort = member.route().isPortUp() ? member.port() : 0;
            if (responder.deliver(member, datagram, towards, local)) {
                moved += datagram.lengthBytes;
            }
        }
        sends.advance(Math.max(0, to - from));
        if (sends.doneBytes() >= group.size()) {
            sent(qp);
        }
        return moved;
    }

    private void show(Qp qp, PacketFate fate) {
        if (capture.isOn()) {
            capture.datagram(qp, datagram, local, fate);
        }
    }

    private void sent(Qp qp) {
        contexts.countTraffic(Counter.PORT_XMIT_DATA, datagram.lengthBytes);
        contexts.countTraffic(Counter.PORT_XMIT_PACKETS, 1);
        qp.advanceSqPsn(1);
        completer.sendDone(qp);
    }
}
