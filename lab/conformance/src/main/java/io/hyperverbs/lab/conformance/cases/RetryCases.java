package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.Case;
import io.hyperverbs.lab.conformance.CaseFamily;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.CaseList;
import io.hyperverbs.lab.conformance.rig.AnySide;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Operation;
import io.hyperverbs.lab.conformance.rig.Pattern;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.Side;
import io.hyperverbs.lab.conformance.rig.SideOptions;
import io.hyperverbs.lab.conformance.rig.UcSide;
import io.hyperverbs.lab.conformance.rig.UdSide;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.VendorError;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.List;

/** Receivers that are not ready, and peers that do not answer. */
@CaseGroup("errors")
public final class RetryCases {
    private RetryCases() {}

    /** Makes the responder of a connected pair silent. */
    private interface Silence {
        void fall(Side requester, Side responder) throws VerbsException;
    }

    @CaseFamily
    static void families(CaseList cases) {
        for (Operation operation : List.of(Operation.SEND, Operation.SEND_WITH_IMM, Operation.WRITE_WITH_IMM)) {
            cases.add(
                    operation.label() + "-rnr-exhausted",
                    "no receive within rnr_retry: RNR_RETRY_EXC_ERR, local ERR, the peer stays RTS (ibv_modify_qp)",
                    rig -> rnrExhausted(rig, operation));
            cases.add(
                    operation.label() + "-rnr-then-receive",
                    "rnr_retry of 7 waits for ever: the message arrives once there is a receive (ibv_modify_qp)",
                    rig -> rnrThenReceive(rig, operation));
        }
        addSilent(
                cases,
                "destroyed",
                "peer destroyed",
                (requester, responder) -> responder.qp().close());
        addSilent(cases, "in-reset", "peer in RESET", (requester, responder) -> responder.to(QpState.RESET));
        addSilent(cases, "in-init", "peer in INIT", (requester, responder) -> {
            responder.to(QpState.RESET);
            responder.toInit();
        });
        addSilent(cases, "in-err", "peer in ERR", (requester, responder) -> responder.to(QpState.ERR));
        addSilent(cases, "connected-elsewhere", "peer connected to another queue pair", (requester, responder) -> {
            // It expects the requester's PSN, so that only the QPN is another.
            Endpoint itself = responder.endpoint();
            responder.to(QpState.RESET);
            responder.connect(new Endpoint(itself.lid(), itself.qpn(), requester.psn(), 0, 0, 0));
        });
        cases.add(
                "peer-never-was",
                "no queue pair of that number: RETRY_EXC_ERR (IBA 9.7.6.1.3)",
                rig -> neverConnected(rig, true));
        cases.add(
                "peer-at-another-lid",
                "no port of that LID: RETRY_EXC_ERR (IBA 9.7.6.1.3)",
                rig -> neverConnected(rig, false));
        cases.add(
                "peer-of-ud",
                "a queue pair of UD answers no request of RC: RETRY_EXC_ERR (IBA 9.6.1.1)",
                rig -> otherTransport(rig.side(SideOptions.impatient()), UdSide.active(rig, "ud")));
    }

    private static void addSilent(CaseList cases, String name, String what, Silence silence) {
        for (Operation operation : List.of(Operation.SEND, Operation.WRITE, Operation.READ)) {
            cases.add(
                    operation.label() + "-peer-" + name,
                    what + ": RETRY_EXC_ERR after the retries, local ERR (IBA 9.7.6.1.3)",
                    rig -> silent(rig, operation, silence));
        }
    }

    private static void rnrExhausted(Rig rig, Operation operation) throws VerbsException {
        Rig.Pair pair = rig.pair(SideOptions.impatient());
        Side requester = pair.requester();
        Side responder = pair.responder();
        Pattern.blank(responder.buffer());

        requester.post(operation.request(1, responder, 0, requester.sge(0, 64)));

        Expect.equal(
                VendorError.NO_RECEIVE,
                requester.sent(1, VerbsStatus.RNR_RETRY_EXC_ERR).vendorError(),
                "vendor_err");
        requester.expectState(QpState.ERR);
        responder.expectState(QpState.RTS);
        Pattern.expectBlank(responder.buffer(), 0, 8192, "responder's memory");
        requester.ends();
        responder.ends();
    }

    private static void rnrThenReceive(Rig rig, Operation operation) throws VerbsException {
        Rig.Pair pair = rig.pair(SideOptions.standard().with(QpAttribute.MIN_RNR_TIMER, 1));
        Rig.Pair other = rig.pair();
        Side requester = pair.requester();
        Side responder = pair.responder();
        Pattern.fill(requester.buffer(), 0, 64, 1);

        requester.post(operation.request(1, responder, 0, requester.sge(0, 64)));
        // The device is seen to work on later posts while this one is refused again and again.
        for (int i = 0; i < 50; i++) {
            Transfers.writes(other, 64);
        }
        requester.sends().pollsEmpty();
        responder.receive(5, responder.sge(0, 64));

        requester.sent(1, VerbsStatus.SUCCESS);
        responder.received(5, VerbsStatus.SUCCESS);
        Pattern.expect(responder.buffer(), 0, 64, 1, "data that arrived late");
        requester.ends();
        responder.ends();
    }

    private static void silent(Rig rig, Operation operation, Silence silence) throws VerbsException {
        Rig.Pair pair = rig.pair(SideOptions.impatient());
        Side requester = pair.requester();
        Side responder = pair.responder();
        long address = responder.at(0);
        int rkey = responder.region().rkey();
        Pattern.blank(responder.buffer());
        Pattern.blank(requester.buffer());
        silence.fall(requester, responder);

        Transfers.post(operation, requester, 1, address, rkey, requester.sge(0, 64));

        Expect.equal(
                VendorError.PEER_SILENT,
                requester.sent(1, VerbsStatus.RETRY_EXC_ERR).vendorError(),
                "vendor_err");
        requester.expectState(QpState.ERR);
        Pattern.expectBlank(responder.buffer(), 0, 8192, "responder's memory");
        Pattern.expectBlank(requester.buffer(), 0, 8192, "requester's memory");
        requester.ends();
    }

    @Case("a queue pair of UC answers no request of RC: RETRY_EXC_ERR (IBA 9.6.1.1)")
    static void peerOfUc(Rig rig) throws VerbsException {
        Side requester = rig.side(SideOptions.impatient());
        UcSide peer = UcSide.open(rig, "uc");
        peer.connect(requester.endpoint());
        otherTransport(requester, peer);
    }

    /** The peer's receive stays where it is. */
    private static void otherTransport(Side requester, AnySide<?> peer) throws VerbsException {
        peer.receive(5, peer.sge(0, 64));
        int lid = requester.endpoint().lid();
        requester.connect(new Endpoint(lid, peer.qp().qpn(), 0, 0, 0, 0));

        requester.post(Operation.SEND.request(1, requester.sge(0, 8)));

        requester.sent(1, VerbsStatus.RETRY_EXC_ERR);
        requester.expectState(QpState.ERR);
        peer.expectState(QpState.RTS);
        peer.ends(5);
    }

    private static void neverConnected(Rig rig, boolean lidIsRight) throws VerbsException {
        Side requester = rig.side(SideOptions.impatient());
        Side responder = rig.side(SideOptions.impatient());
        Endpoint there = responder.endpoint();
        // QPN 2 is legal; that the device chose it among 2^24 is not to be feared.
        Endpoint nowhere = lidIsRight
                ? new Endpoint(there.lid(), 2, there.psn(), 0, 0, 0)
                : new Endpoint(there.lid() ^ 0x4000, there.qpn(), there.psn(), 0, 0, 0);
        responder.connect(requester.endpoint());
        requester.connect(nowhere);

        requester.post(Operation.WRITE.request(1));

        requester.sent(1, VerbsStatus.RETRY_EXC_ERR);
        requester.expectState(QpState.ERR);
        responder.expectState(QpState.RTS);
    }

    @Case("packets ahead of the expected PSN are refused until the retries are used up: RETRY_EXC_ERR (IBA 9.7.5.1.2)")
    static void psnAhead(Rig rig) throws VerbsException {
        Side requester = rig.side(SideOptions.impatient());
        Side responder = rig.side(SideOptions.impatient());
        Endpoint told = requester.endpoint();
        responder.connect(new Endpoint(told.lid(), told.qpn(), told.psn() - 1 & 0xff_ffff, 0, 0, 0));
        requester.connect(responder.endpoint());
        Pattern.blank(responder.buffer());

        requester.post(Operation.WRITE.request(1, responder, 0, requester.sge(0, 64)));

        requester.sent(1, VerbsStatus.RETRY_EXC_ERR);
        Pattern.expectBlank(responder.buffer(), 0, 8192, "responder's memory");
    }

    @Case("no RNR retry before the responder's coded delay (IBA 9.7.5.2.8)")
    static void rnrDelayKept(Rig rig) throws VerbsException {
        // Code 20 is 10.24 ms (IBA table 45); three tries have two delays between them.
        Rig.Pair pair = rig.pair(
                SideOptions.standard().with(QpAttribute.RNR_RETRY, 2),
                SideOptions.standard().with(QpAttribute.MIN_RNR_TIMER, 20));
        long startNanos = rig.nanoTime();

        pair.requester().post(Operation.SEND.request(1));

        pair.requester().sent(1, VerbsStatus.RNR_RETRY_EXC_ERR);
        long tookNanos = rig.nanoTime() - startNanos;
        Expect.isTrue(tookNanos >= 2 * 10_240_000, "two RNR delays of 10.24 ms were over in " + tookNanos + " ns");
    }

    @Case("progress resets the RNR retry counter (IBA 9.7.5.2.8)")
    static void rnrRetriesCountedAnew(Rig rig) throws VerbsException {
        Rig.Pair pair =
                rig.pair(SideOptions.standard().with(QpAttribute.RNR_RETRY, 1).with(QpAttribute.MIN_RNR_TIMER, 31));
        Side requester = pair.requester();
        Side responder = pair.responder();
        // Each message is refused once, and gets its receive within the delay of 492 ms: on a
        // forwarded path that is a message between processes which may have to wait for a core.
        for (int i = 0; i < 2; i++) {
            requester.post(Operation.SEND.request(i));
            Transfers.writes(pair.reversed(), 64);
            responder.receive(i);
            requester.sent(i, VerbsStatus.SUCCESS);
            responder.received(i, VerbsStatus.SUCCESS);
        }
    }

    @Case("no transport retry before the coded timeout (IBA 9.7.6.1.3)")
    static void ackTimeoutKept(Rig rig) throws VerbsException {
        // Code 11 is 8.39 ms; the first try and one retry wait once each.
        Rig.Pair pair =
                rig.pair(SideOptions.standard().with(QpAttribute.TIMEOUT, 11).with(QpAttribute.RETRY_CNT, 1));
        pair.responder().to(QpState.RESET);
        long startNanos = rig.nanoTime();

        pair.requester().post(Operation.WRITE.request(1));

        pair.requester().sent(1, VerbsStatus.RETRY_EXC_ERR);
        long tookNanos = rig.nanoTime() - startNanos;
        long leastNanos = 2 * (4096L << 11);
        Expect.isTrue(
                tookNanos >= leastNanos, "two timeouts, " + leastNanos + " ns, were over in " + tookNanos + " ns");
    }

    @Case("requests behind the one that ran out of retries flush, in order")
    static void silenceFlushesTheRest(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair(SideOptions.impatient());
        Side requester = pair.requester();
        pair.responder().to(QpState.RESET);

        for (int i = 0; i < 5; i++) {
            requester.post(Operation.WRITE.request(i, 0, 0, 0, List.of()));
        }

        requester.sent(0, VerbsStatus.RETRY_EXC_ERR);
        for (int i = 1; i < 5; i++) {
            requester.sent(i, VerbsStatus.WR_FLUSH_ERR);
        }
        requester.ends();
    }
}
