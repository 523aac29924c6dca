package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.Case;
import io.hyperverbs.lab.conformance.CaseFamily;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.CaseList;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Operation;
import io.hyperverbs.lab.conformance.rig.Pattern;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.Side;
import io.hyperverbs.lab.conformance.rig.SideOptions;
import io.hyperverbs.lab.conformance.rig.UcSide;
import io.hyperverbs.lab.conformance.rig.UdSide;
import io.hyperverbs.verbs.AddressHandle;
import io.hyperverbs.verbs.Grh;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendWorkRequest;
import io.hyperverbs.verbs.Sge;
import io.hyperverbs.verbs.VendorError;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.util.EnumSet;
import java.util.List;

/** Datagrams that are refused, and those that are lost: the sender hears nothing of these. */
@CaseGroup("ud")
public final class UdDropCases {
    private static final String DROPPED = "a datagram that nobody takes is dropped: SUCCESS at the sender (IBA 9.8.3)";
    private static final int HIGH_BIT = 0x8000_0000;

    private UdDropCases() {}

    @CaseFamily
    static void families(CaseList cases) {
        for (Operation operation : Operation.remote()) {
            cases.add(
                    operation.label() + "-is-none-of-ud",
                    "UD has sends alone: LOC_QP_OP_ERR, SQE (ibv_post_send)",
                    rig -> refusedOperation(rig, operation));
        }
        for (QpState state : EnumSet.of(QpState.RESET, QpState.INIT, QpState.ERR)) {
            cases.add("receiver-in-" + QpStates.label(state) + "-drops", DROPPED, rig -> receiverIn(rig, state, false));
        }
        for (QpState state : EnumSet.of(QpState.RTR, QpState.RTS, QpState.SQD, QpState.SQE)) {
            cases.add(
                    "receiver-in-" + QpStates.label(state) + "-takes",
                    "datagrams are received from RTR on (IBA 10.3.1)",
                    rig -> receiverIn(rig, state, true));
        }
    }

    private static void refusedOperation(Rig rig, Operation operation) throws VerbsException {
        UdSide side = UdSide.active(rig, "side");

        side.post(operation.request(1, side, 4096, side.sge(0, 8)));

        side.sent(1, VerbsStatus.LOC_QP_OP_ERR);
        side.expectState(QpState.SQE);
    }

    private static void receiverIn(Rig rig, QpState state, boolean takes) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide to = UdSide.open(rig, "receiver", SideOptions.standard());
        if (state != QpState.RESET) {
            to.toInit();
            to.receive(5, to.sge(0, 64));
        }
        if (state != QpState.RESET && state != QpState.INIT) {
            to.toRtr();
        }
        if (state == QpState.SQD || state == QpState.SQE || state == QpState.RTS) {
            to.toRts();
        }
        if (state == QpState.SQE) {
            to.enterSqe();
        } else if (state == QpState.SQD) {
            to.to(state);
        } else if (state == QpState.ERR) {
            to.to(state);
            to.received(5, VerbsStatus.WR_FLUSH_ERR);
        }

        from.send(to, from.ah(to), 1, from.sge(0, 8));

        to.expectState(state);
        if (takes) {
            to.received(5, VerbsStatus.SUCCESS);
        } else {
            to.receives().pollsEmpty();
        }
    }

    @Case("no receive posted: the datagram is lost, the next one is not (IBA 9.8.3)")
    static void noReceiveDrops(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide to = UdSide.active(rig, "receiver");
        AddressHandle ah = from.ah(to);

        from.send(to, ah, 1, from.sge(0, 8));

        to.receive(5, to.sge(0, 64));
        from.nothingArrived(to, ah, 5);
        to.noMoreEvents();
    }

    private static SendWorkRequest request(UdSide from, AddressHandle ah, int qpn, int qkey) {
        return new SendWorkRequest.SendTo(1, SendFlags.SIGNALLED, List.of(from.sge(0, 8)), ah.number(), qpn, qkey);
    }

    @Case(DROPPED)
    static void unknownQpnDrops(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide gone = UdSide.active(rig, "gone");
        AddressHandle ah = from.ah(gone);
        gone.qp().close();

        for (int qpn : new int[] {gone.qp().qpn(), 0, 1, 0xff_ffff, -1}) {
            from.post(request(from, ah, qpn, UdSide.QKEY));
            from.sent(1, VerbsStatus.SUCCESS);
        }

        from.expectState(QpState.RTS);
    }

    @Case(DROPPED)
    static void connectedQpnDrops(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UcSide uc = UcSide.pair(rig).responder();
        Side rc = rig.pair().responder();
        uc.receive(5, uc.sge(0, 64));
        rc.receive(5, rc.sge(0, 64));

        from.post(request(from, from.ah(uc.lid()), uc.qp().qpn(), UdSide.QKEY));
        from.sent(1, VerbsStatus.SUCCESS);
        from.post(request(from, from.ah(uc.lid()), rc.qp().qpn(), UdSide.QKEY));
        from.sent(1, VerbsStatus.SUCCESS);

        uc.ends(5);
        rc.ends(5);
    }

    @Case("another Q_Key: dropped, qkey_viol_cntr grows (IBA 10.2.5)")
    static void otherQkeyDropsAndCounts(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide to = UdSide.active(rig, "receiver");
        AddressHandle ah = from.ah(to);
        int before = to.context().queryPort(1).qkeyViolations();
        to.receive(5, to.sge(0, 64));

        from.post(request(from, ah, to.qp().qpn(), to.qkey() + 1));
        from.sent(1, VerbsStatus.SUCCESS);

        from.nothingArrived(to, ah, 5);
        Expect.isTrue(to.context().queryPort(1).qkeyViolations() > before, "qkey_viol_cntr did not grow");
        to.noMoreEvents();
    }

    @Case("a Q_Key with its high bit set means the sender's own (IBA 10.2.5)")
    static void qkeyHighBitSendsOwn(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide same = UdSide.active(rig, "same Q_Key");
        UdSide other = UdSide.active(rig, "other Q_Key", SideOptions.standard().with(QpAttribute.QKEY, 77));
        AddressHandle ah = from.ah(same);
        same.receive(5, same.sge(0, 64));
        other.receive(5, other.sge(0, 64));

        for (UdSide to : List.of(same, other)) {
            from.post(request(from, ah, to.qp().qpn(), HIGH_BIT | other.qkey()));
            from.sent(1, VerbsStatus.SUCCESS);
        }

        Expect.equal(48, same.received(5, VerbsStatus.SUCCESS).byteCount(), "bytes received");
        from.nothingArrived(other, ah, 5);
    }

    @Case("a Q_Key with its high bit set is privileged: EPERM, nothing changes")
    static void privilegedQkeyIsRefused(Rig rig) throws VerbsException {
        UdSide side = UdSide.open(rig, "side", SideOptions.standard());

        Expect.refused(
                VerbsStatus.EPERM,
                "INIT with a privileged Q_Key",
                () -> side.qp().modify(QpAttributes.toUdInit(HIGH_BIT | 1)));
        side.expectState(QpState.RESET);
        side.activate();
        Expect.refused(
                VerbsStatus.EPERM,
                "a privileged Q_Key in RTS",
                () -> side.qp().modify(QpAttributes.none().with(QpAttribute.QKEY, 0xffff_ffffL)));

        Expect.equal((long) UdSide.QKEY, side.qp().query().get(QpAttribute.QKEY), "Q_Key by query");
    }

    @Case("a Q_Key changed in RTS holds when ibv_modify_qp returns")
    static void qkeyChangeCountsAtOnce(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide to = UdSide.active(rig, "receiver");
        AddressHandle ah = from.ah(to);
        to.receive(5, to.sge(0, 64));
        to.receive(6, to.sge(0, 64));
        from.send(to, ah, 1);
        to.received(5, VerbsStatus.SUCCESS);

        to.qp().modify(QpAttributes.none().with(QpAttribute.QKEY, 78));

        from.send(to, ah, 2, from.sge(0, 3));
        from.post(request(from, ah, to.qp().qpn(), 78));
        from.sent(1, VerbsStatus.SUCCESS);
        Expect.equal(48, to.received(6, VerbsStatus.SUCCESS).byteCount(), "bytes received");
    }

    private static SideOptions pkey(int index) {
        return SideOptions.standard().with(QpAttribute.PKEY_INDEX, index);
    }

    @Case("another P_Key: dropped, bad_pkey_cntr grows (IBA 10.9.3)")
    static void otherPkeyDropsAndCounts(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide same = UdSide.active(rig, "same partition");
        UdSide to = UdSide.active(rig, "other partition", pkey(1));
        int before = to.context().queryPort(1).badPkeys();
        to.receive(5, to.sge(0, 64));
        same.receive(6, same.sge(0, 64));

        from.send(to, from.ah(to), 1);
        from.send(same, from.ah(to), 2);

        same.received(6, VerbsStatus.SUCCESS);
        Expect.isTrue(to.context().queryPort(1).badPkeys() > before, "bad_pkey_cntr did not grow");
        to.ends(5);
    }

    @Case("P_Keys match if one of the two is a full member's (IBA 10.9.3)")
    static void fullAndLimitedMemberTalk(Rig rig) throws VerbsException {
        UdSide full = UdSide.active(rig, "full member", pkey(1));
        UdSide limited = UdSide.active(rig, "limited member", pkey(2));
        full.receive(5, full.sge(0, 64));
        limited.receive(5, limited.sge(0, 64));

        full.send(limited, full.ah(limited), 1);
        limited.send(full, limited.ah(full), 2);

        Expect.equal(2, limited.received(5, VerbsStatus.SUCCESS).pkeyIndex(), "pkey_index");
        Expect.equal(1, full.received(5, VerbsStatus.SUCCESS).pkeyIndex(), "pkey_index");
    }

    @Case("P_Keys of two limited members do not match (IBA 10.9.3)")
    static void twoLimitedMembersDoNotTalk(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender", pkey(2));
        UdSide to = UdSide.active(rig, "receiver", pkey(2));
        to.receive(5, to.sge(0, 64));

        from.send(to, from.ah(to), 1);

        to.ends(5);
    }

    @Case("a queue pair hears its own port alone, and slid is the sender's port's")
    static void secondPort(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender", SideOptions.standard().with(QpAttribute.PORT, 2));
        UdSide to = UdSide.active(rig, "receiver");
        to.receive(5, to.sge(0, 64));
        Expect.isTrue(from.lid() != to.lid(), "two ports have one LID");

        from.send(to, from.ah(from.lid()), 1, from.sge(0, 3));
        from.send(to, from.ah(to), 2, from.sge(0, 4));

        WorkCompletion found = to.received(5, VerbsStatus.SUCCESS);
        Expect.equal(44, found.byteCount(), "bytes of the one for its port");
        Expect.equal(from.lid(), found.sourceLid(), "slid");
        to.ends();
    }

    @Case("a datagram longer than the MTU: LOC_LEN_ERR, SQE (ibv_post_send)")
    static void longerThanMtu(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide to = UdSide.active(rig, "receiver");
        int mtu = from.context().queryPort(1).activeMtuBytes();
        to.receive(5, to.sge(0, 8192));

        from.post(from.to(to, from.ah(to), 1, from.sge(0, mtu), from.sge(0, 1)));

        WorkCompletion failed = from.sent(1, VerbsStatus.LOC_LEN_ERR);
        Expect.equal(VendorError.MESSAGE_TOO_LONG, failed.vendorError(), "vendor_err");
        from.expectState(QpState.SQE);
        to.ends(5);
    }

    @Case("a receive without room for header and payload: the datagram is lost, the receive is not; SUCCESS at"
            + " the sender")
    static void receiveTooSmall(Rig rig) throws VerbsException {
        for (int room : new int[] {0, Grh.SIZE_BYTES - 1, Grh.SIZE_BYTES + 7}) {
            UdSide from = UdSide.active(rig, "sender");
            UdSide to = UdSide.active(rig, "receiver");
            Pattern.blank(to.buffer());
            to.receive(5, to.sge(0, room));
            AddressHandle ah = from.ah(to);

            from.send(to, ah, 1, from.sge(0, 8));

            to.expectState(QpState.RTS);
            Pattern.expectBlank(to.buffer(), 0, 64, "memory of the receive and behind it");
            if (room < Grh.SIZE_BYTES) {
                to.ends(5);
            } else {
                from.send(to, ah, 2, from.sge(0, room - Grh.SIZE_BYTES));
                Expect.equal(room, to.received(5, VerbsStatus.SUCCESS).byteCount(), "bytes");
                to.ends();
            }
        }
    }

    @Case("a receive of 40 bytes and the payload is enough (ibv_post_recv)")
    static void receiveExactlyFits(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide to = UdSide.active(rig, "receiver");
        Pattern.blank(to.buffer());
        Pattern.fill(from.buffer(), 0, 8, 1);
        to.receive(5, to.sge(0, Grh.SIZE_BYTES));
        to.receive(6, to.sge(100, Grh.SIZE_BYTES + 8));

        from.send(to, from.ah(to), 1);
        from.send(to, from.ah(to), 2, from.sge(0, 8));

        Expect.equal(40, to.received(5, VerbsStatus.SUCCESS).byteCount(), "bytes");
        Expect.equal(48, to.received(6, VerbsStatus.SUCCESS).byteCount(), "bytes");
        Pattern.expectAlone(to.buffer(), 140, 8, 1, "data");
    }

    @Case("a receive with a bad key: LOC_PROT_ERR and ERR there, SUCCESS at the sender")
    static void receiveBadLkey(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide to = UdSide.active(rig, "receiver");
        Pattern.blank(to.buffer());
        to.receive(5, new Sge(to.at(0), 64, UcSide.NO_KEY));

        from.send(to, from.ah(to), 1, from.sge(0, 8));

        to.received(5, VerbsStatus.LOC_PROT_ERR);
        to.expectState(QpState.ERR);
        from.expectState(QpState.RTS);
        Pattern.expectBlank(to.buffer(), 0, 8192, "receiver's memory");
    }
}
