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
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.Sge;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;

/** Timers by their codes, retries for ever, fences, depths, and what may change in SQD. */
@CaseGroup("qp")
public final class BehaviourCases {
    /** The RNR timer field, IBA table 45, as far as a case has the patience; microseconds. */
    private static final Map<Integer, Long> RNR_MICROS = Map.ofEntries(
            Map.entry(1, 10L),
            Map.entry(2, 20L),
            Map.entry(5, 60L),
            Map.entry(8, 160L),
            Map.entry(12, 640L),
            Map.entry(15, 1920L),
            Map.entry(18, 5120L),
            Map.entry(21, 15360L),
            Map.entry(24, 40960L),
            Map.entry(26, 81920L));

    /** What SQD to SQD may change besides the rights (ibv_modify_qp, optional attributes). */
    private static final Map<QpAttribute, Long> SQD_TABLE = Map.ofEntries(
            Map.entry(QpAttribute.PORT, 1L),
            Map.entry(QpAttribute.PKEY_INDEX, 1L),
            Map.entry(QpAttribute.TIMEOUT, 9L),
            Map.entry(QpAttribute.RETRY_CNT, 3L),
            Map.entry(QpAttribute.RNR_RETRY, 4L),
            Map.entry(QpAttribute.MAX_QP_RD_ATOMIC, 2L),
            Map.entry(QpAttribute.MAX_DEST_RD_ATOMIC, 5L),
            Map.entry(QpAttribute.MIN_RNR_TIMER, 17L),
            Map.entry(QpAttribute.ACCESS_FLAGS, 2L));

    private static final List<QpAttribute> SQD_ALONE = List.of(
            QpAttribute.TIMEOUT,
            QpAttribute.RETRY_CNT,
            QpAttribute.RNR_RETRY,
            QpAttribute.MAX_QP_RD_ATOMIC,
            QpAttribute.MAX_DEST_RD_ATOMIC,
            QpAttribute.PKEY_INDEX,
            QpAttribute.PORT);

    private BehaviourCases() {}

    @CaseFamily
    static void families(CaseList cases) {
        RNR_MICROS.keySet().stream()
                .sorted()
                .forEach(code -> cases.add(
                        "rnr-timer-" + code,
                        "no RNR retry before the delay of code " + code,
                        rig -> rnrTimer(rig, code)));
        for (int code : new int[] {4, 8, 10, 12, 13}) {
            cases.add(
                    "ack-timeout-" + code,
                    "no transport retry before 4.096 us x 2^" + code + " (IBA 9.7.6.1.3)",
                    rig -> ackTimeout(rig, code));
        }
        SQD_TABLE.keySet().stream()
                .sorted()
                .forEach(attribute -> cases.add(
                        "sqd-changes-" + QpStates.label(attribute),
                        "SQD to SQD takes it alone (ibv_modify_qp)",
                        rig -> sqdChanges(rig, attribute)));
        for (QpAttribute attribute : SQD_ALONE) {
            cases.add(
                    "rts-refuses-" + QpStates.label(attribute),
                    "what only SQD may change: EINVAL in RTS, and nothing changes",
                    rig -> rtsRefuses(rig, attribute));
        }
        cases.add(
                "fenced-write-after-read",
                "a fenced write carries what the read before it brought",
                rig -> fenced(rig, Operation.READ));
        cases.add(
                "fenced-write-after-fetch-add",
                "a fenced write carries what the atomic before it brought",
                rig -> fenced(rig, Operation.FETCH_AND_ADD));
        cases.add(
                "fenced-write-after-cmp-swap",
                "a fenced write carries what the atomic before it brought",
                rig -> fenced(rig, Operation.COMPARE_AND_SWAP));
    }

    private static void rnrTimer(Rig rig, int code) throws VerbsException {
        Rig.Pair pair = rig.pair(
                SideOptions.standard().with(QpAttribute.RNR_RETRY, 2),
                SideOptions.standard().with(QpAttribute.MIN_RNR_TIMER, code));
        long leastNanos = 2 * 1000 * RNR_MICROS.getOrDefault(code, 0L);
        long startNanos = rig.nanoTime();

        pair.requester().post(Operation.SEND.request(1));

        pair.requester().sent(1, VerbsStatus.RNR_RETRY_EXC_ERR);
        expectAtLeast(leastNanos, rig.nanoTime() - startNanos);
    }

    private static void ackTimeout(Rig rig, int code) throws VerbsException {
        Rig.Pair pair =
                rig.pair(SideOptions.standard().with(QpAttribute.TIMEOUT, code).with(QpAttribute.RETRY_CNT, 2));
        pair.responder().to(QpState.RESET);
        long startNanos = rig.nanoTime();

        pair.requester().post(Operation.WRITE.request(1));

        pair.requester().sent(1, VerbsStatus.RETRY_EXC_ERR);
        expectAtLeast(3 * (4096L << code), rig.nanoTime() - startNanos);
    }

    private static void expectAtLeast(long leastNanos, long tookNanos) {
        Expect.isTrue(
                tookNanos >= leastNanos, "delays of " + leastNanos + " ns in all were over in " + tookNanos + " ns");
    }

    private static void sqdChanges(Rig rig, QpAttribute attribute) throws VerbsException {
        Side side = QpStates.in(rig, QpState.SQD);
        long value = SQD_TABLE.getOrDefault(attribute, 0L);

        side.qp().modify(QpAttributes.none().with(attribute, value));

        Expect.equal(value, side.qp().query().get(attribute), attribute + " by query");
        side.expectState(QpState.SQD);
    }

    private static void rtsRefuses(Rig rig, QpAttribute attribute) throws VerbsException {
        Side side = QpStates.in(rig, QpState.RTS);
        QpAttributes before = side.qp().query();

        Expect.refused(
                VerbsStatus.EINVAL,
                attribute + " in RTS",
                () -> side.qp().modify(QpAttributes.none().with(attribute, SQD_TABLE.getOrDefault(attribute, 1L))));

        Expect.equal(before, side.qp().query(), "attributes after a refused modify");
    }

    private static void waitsForPeer(Rig rig, SideOptions options) throws VerbsException {
        Rig.Pair pair = rig.pair(options, SideOptions.standard());
        Rig.Pair other = rig.pair();
        Side requester = pair.requester();
        Side responder = pair.responder();
        responder.to(QpState.RESET);

        requester.post(Operation.WRITE.request(1));
        // The device is seen to work on later posts meanwhile.
        for (int i = 0; i < 50; i++) {
            Transfers.writes(other, 64);
        }
        requester.sends().pollsEmpty();
        requester.expectState(QpState.RTS);
    }

    @Case("retry_cnt of 7: the request waits for its peer however long: choice")
    static void retriesForEver(Rig rig) throws VerbsException {
        SideOptions options =
                SideOptions.standard().with(QpAttribute.TIMEOUT, 1).with(QpAttribute.RETRY_CNT, 7);
        Rig.Pair pair = rig.pair(options, SideOptions.standard());
        Rig.Pair other = rig.pair();
        Side requester = pair.requester();
        Side responder = pair.responder();
        responder.to(QpState.RESET);
        requester.post(Operation.WRITE.request(1));
        for (int i = 0; i < 50; i++) {
            Transfers.writes(other, 64);
        }
        requester.sends().pollsEmpty();

        Endpoint told = requester.endpoint();
        responder.connect(new Endpoint(told.lid(), told.qpn(), requester.psn(), 0, 0, 0));

        requester.sent(1, VerbsStatus.SUCCESS);
        requester.expectState(QpState.RTS);
    }

    @Case("an ack timeout of 0 never runs out (IBA 9.7.6.1.3)")
    static void timeoutForEver(Rig rig) throws VerbsException {
        waitsForPeer(rig, SideOptions.standard().with(QpAttribute.TIMEOUT, 0).with(QpAttribute.RETRY_CNT, 0));
    }

    private static void fenced(Rig rig, Operation first) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side requester = pair.requester();
        Side responder = pair.responder();
        Pattern.fill(responder.buffer(), 0, 8, 11);
        Pattern.blank(requester.buffer());
        Sge result = requester.sge(64, 8);

        requester.post(
                first.request(
                        1, SendFlags.NONE, responder.at(0), responder.region().rkey(), List.of(result)),
                Operation.WRITE.request(
                        2,
                        SendFlags.SIGNALLED | SendFlags.FENCE,
                        responder.at(256),
                        responder.region().rkey(),
                        List.of(result)));

        requester.sent(2, VerbsStatus.SUCCESS);
        Pattern.expect(responder.buffer(), 256, 8, 11, "what the fenced write carried");
    }

    @Case("atomics beyond max_rd_atomic wait at the requester, and all are done")
    static void atomicsBeyondDepthWait(Rig rig) throws VerbsException {
        SideOptions shallow = SideOptions.standard().with(QpAttribute.MAX_QP_RD_ATOMIC, 1);
        Rig.Pair pair = rig.pair(shallow, SideOptions.standard());
        Side requester = pair.requester();
        Side responder = pair.responder();
        responder.buffer().set(ValueLayout.JAVA_LONG, 0, 0);

        for (int i = 0; i < 8; i++) {
            requester.post(Operation.FETCH_AND_ADD.request(i, responder, 0, requester.sge(8L * i, 8)));
        }

        for (int i = 0; i < 8; i++) {
            requester.sent(i, VerbsStatus.SUCCESS);
            Expect.equal(
                    i * Operation.ADDEND,
                    requester.buffer().get(ValueLayout.JAVA_LONG, 8L * i),
                    "value before addition " + i);
        }
    }

    @Case("unsignalled requests complete only if they fail (ibv_post_send)")
    static void unsignalledSilentUntilError(Side requester, Side responder) throws VerbsException {
        for (int i = 0; i < 8; i++) {
            requester.post(Operation.WRITE.request(
                    i, SendFlags.NONE, responder.at(0), responder.region().rkey(), List.of(requester.sge(0, 8))));
        }
        requester.post(Operation.WRITE.request(
                8, SendFlags.NONE, responder.at(0), responder.region().rkey() ^ 0x5a, List.of(requester.sge(0, 8))));
        requester.post(Operation.WRITE.request(9, SendFlags.NONE, 0, 0, List.of()));

        requester.sent(8, VerbsStatus.REM_ACCESS_ERR);
        requester.sent(9, VerbsStatus.WR_FLUSH_ERR);
        requester.noMoreSends();
    }

    @Case("a retry count set in SQD holds for the requests after it")
    static void sqdChangeCountsAfterResume(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair(SideOptions.standard().with(QpAttribute.RETRY_CNT, 7));
        Side requester = pair.requester();
        Transfers.writes(pair, 8);
        requester.to(QpState.SQD);
        requester.qp().modify(QpAttributes.none().with(QpAttribute.TIMEOUT, 5).with(QpAttribute.RETRY_CNT, 1));
        requester.to(QpState.RTS);
        pair.responder().to(QpState.RESET);

        requester.post(Operation.WRITE.request(1));

        requester.sent(1, VerbsStatus.RETRY_EXC_ERR);
    }

    @Case("requests of an earlier life of the peer are not executed again")
    static void duplicatesOfNothing(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair(SideOptions.impatient(), SideOptions.standard());
        Side requester = pair.requester();
        Side responder = pair.responder();
        Transfers.writes(pair, 8);
        Pattern.blank(responder.buffer());
        responder.to(QpState.RESET);
        // It expects the first PSN again; the requester is beyond that.
        Endpoint told = requester.endpoint();
        responder.connect(new Endpoint(told.lid(), told.qpn(), requester.psn(), 0, 0, 0));

        requester.post(Operation.WRITE.request(1, responder, 0, requester.sge(0, 8)));

        requester.sent(1, VerbsStatus.RETRY_EXC_ERR);
        Pattern.expectBlank(responder.buffer(), 0, 8, "responder's memory");
    }
}
