package io.hyperverbs.tests.fuzz;

import io.hyperverbs.hca.HcaCommands;
import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.hca.layout.QueueIndexes;
import io.hyperverbs.hca.layout.ReceiveWqeLayout;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.hca.layout.UarLayout;
import io.hyperverbs.tests.fuzz.FuzzHca.Context;
import io.hyperverbs.tests.fuzz.FuzzHca.Piece;
import io.hyperverbs.tests.fuzz.FuzzHca.Queue;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.SendFlags;
import java.util.EnumSet;
import java.util.Set;

/** A queue pair with its ring memory, which the test writes as a guest does, or worse. */
final class FuzzQp {
    static final Set<Access> RIGHTS =
            EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC);
    static final int PSN = 0xffff_fe;

    final FuzzHca device;
    final Context context;
    final QueueGeometry geometry;
    final long rings;
    final int qpn;
    final int slot;
    private int sent;
    private int received;

    FuzzQp(FuzzHca device, Context context, QpType type, Queue cq, QpLimits limits, int srqn) {
        this(device, context, context.pd(), type, cq, limits, srqn);
    }

    /** One of another protection domain, or of an XRC domain, than its context's. */
    FuzzQp(FuzzHca device, Context context, int pd, QpType type, Queue cq, QpLimits limits, int srqn) {
        this.device = device;
        this.context = context;
        geometry = QueueGeometry.of(limits);
        rings = device.allocate(geometry.totalBytes());
        HcaCommands.Slotted made = device.hca.createQp(
                new HcaCommands.QpInit(context.uar(), pd, type, cq.number(), cq.number(), rings, limits, 1, srqn));
        FuzzHca.good(made.status());
        qpn = made.number();
        slot = made.slot();
    }

    static void connect(FuzzQp a, FuzzQp b) {
        for (FuzzQp qp : new FuzzQp[] {a, b}) {
            FuzzQp peer = qp == a ? b : a;
            qp.modify(QpAttributes.toInit(RIGHTS));
            qp.modify(QpAttributes.toRtr(new Endpoint(1, peer.qpn, PSN, 0, 0, 0)));
            qp.modify(QpAttributes.toRts(PSN)
                    .with(QpAttribute.RETRY_CNT, 1)
                    .with(QpAttribute.RNR_RETRY, 1)
                    .with(QpAttribute.TIMEOUT, 10));
        }
    }

    /** Connects one of RC, UC or XRC with a queue pair on a wire. */
    void connect(QpType type, int lid, int remoteQpn) {
        Endpoint peer = new Endpoint(lid, remoteQpn, PSN, 0, 0, 0);
        modify(QpAttributes.toInit(RIGHTS));
        if (type == QpType.UC) {
            modify(QpAttributes.toUcRtr(peer));
            modify(QpAttributes.toUnacknowledgedRts(PSN));
            return;
        }
        modify(QpAttributes.toRtr(peer));
        if (type == QpType.RC) {
            modify(QpAttributes.toRts(PSN)
                    .with(QpAttribute.RETRY_CNT, 1)
                    .with(QpAttribute.RNR_RETRY, 1)
                    .with(QpAttribute.TIMEOUT, 10));
        }
    }

    static void connectUc(FuzzQp a, FuzzQp b) {
        for (FuzzQp qp : new FuzzQp[] {a, b}) {
            FuzzQp peer = qp == a ? b : a;
            qp.modify(QpAttributes.toInit(RIGHTS));
            qp.modify(QpAttributes.toUcRtr(new Endpoint(1, peer.qpn, PSN, 0, 0, 0)));
            qp.modify(QpAttributes.toUnacknowledgedRts(PSN));
        }
    }

    /** Takes one of UD to RTS. */
    void activate(int qkey) {
        modify(QpAttributes.toUdInit(qkey));
        modify(QpAttributes.to(QpState.RTR));
        modify(QpAttributes.toUnacknowledgedRts(PSN));
    }

    void modify(QpAttributes attributes) {
        FuzzHca.good(device.hca.modifyQp(qpn, attributes).status());
    }

    QpState state() {
        return device.hca.queryQp(qpn).state();
    }

    long sendSlot(int index) {
        return rings + geometry.sendSlot(index);
    }

    long receiveSlot(int index) {
        return rings + geometry.receiveSlot(index);
    }

    void ring() {
        UarLayout.ring(device.memory, context.page(), slot);
    }

    /** A correct send, as a good driver makes it. */
    void send(long wrId, Piece from, int length) {
        long wqe = sendSlot(sent++);
        SendWqeLayout.writeHead(device.memory, wqe, wrId, SendWqeLayout.OPCODE_SEND, SendFlags.SIGNALLED);
        SendWqeLayout.writeSegmentCount(device.memory, wqe, 1);
        SendWqeLayout.writeSegment(device.memory, wqe, 0, from.address(), length, from.lkey());
        QueueIndexes.sendProducerRelease(device.memory, rings, sent);
        ring();
    }

    /** A correct request with a remote address, or a send that ignores it. */
    void request(int opcode, long wrId, Piece local, int length, long address, int rkey) {
        long wqe = sendSlot(sent++);
        SendWqeLayout.writeHead(device.memory, wqe, wrId, opcode, SendFlags.SIGNALLED);
        SendWqeLayout.writeRemote(device.memory, wqe, address, rkey);
        SendWqeLayout.writeSegmentCount(device.memory, wqe, 1);
        SendWqeLayout.writeSegment(device.memory, wqe, 0, local.address(), length, local.lkey());
        QueueIndexes.sendProducerRelease(device.memory, rings, sent);
        ring();
    }

    /** Whether so many entries of the send queue were never used. */
    boolean hasFreshSend() {
        return sent < geometry.sendEntries();
    }

    boolean hasFreshReceive() {
        return received < geometry.receiveEntries();
    }

    /** A write of no bytes into a slot, not yet published. */
    void emptyWrite(int index, long wrId) {
        SendWqeLayout.writeHead(
                device.memory, sendSlot(index), wrId, SendWqeLayout.OPCODE_RDMA_WRITE, SendFlags.SIGNALLED);
    }

    /** A correct send of no bytes. */
    void emptySend(long wrId) {
        long wqe = sendSlot(sent++);
        SendWqeLayout.writeHead(device.memory, wqe, wrId, SendWqeLayout.OPCODE_SEND, SendFlags.SIGNALLED);
        QueueIndexes.sendProducerRelease(device.memory, rings, sent);
        ring();
    }

    /** A correct receive. */
    void receive(long wrId, Piece into, int length) {
        long wqe = receiveSlot(received++);
        ReceiveWqeLayout.writeHead(device.memory, wqe, wrId);
        ReceiveWqeLayout.writeSegmentCount(device.memory, wqe, 1);
        ReceiveWqeLayout.writeSegment(device.memory, wqe, 0, into.address(), length, into.lkey());
        QueueIndexes.receiveProducerRelease(device.memory, rings, received);
    }
}
