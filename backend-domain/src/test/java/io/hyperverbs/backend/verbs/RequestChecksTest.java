package io.hyperverbs.backend.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.testing.ExecutorBench;
import io.hyperverbs.backend.testing.FakeMachine;
import io.hyperverbs.backend.testing.SessionFixture;
import io.hyperverbs.backend.testing.SessionObjects;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ManagementRequest;
import io.hyperverbs.vmm.io.ObjectKind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Parts that do not belong together, and arguments at their edges: refused without a trace. */
class RequestChecksTest extends SessionFixture {
    private static final QpLimits NO_RECEIVES = QpLimits.of(16, 0);

    private SessionObjects objects(DataPathKind path) {
        return SessionObjects.create(bench, session, path);
    }

    private void expectInvalid(ControlRequest request, String words) {
        FakeMachine.Counters before = bench.machine.counters();
        var used = ExecutorBench.used(session);
        var live = bench.hca.live();

        ControlReply.Refused refused = bench.refused(session, request);

        assertThat(refused.message()).contains(words);
        assertThat(refused.status()).isEqualTo(VerbsStatus.EINVAL);
        assertThat(bench.machine.counters()).isEqualTo(before);
        assertThat(ExecutorBench.used(session)).isEqualTo(used);
        assertThat(bench.hca.live()).isEqualTo(live);
    }

    private static ControlRequest qp(QpType type, long pd, long sendCq, long cq, long srq) {
        return new ControlRequest.CreateQp(pd, type.code(), sendCq, cq, 0, NO_RECEIVES, srq);
    }

    @Test
    void partsOfDifferentContextsMakeNoQueue() {
        SessionObjects a = objects(DataPathKind.FORWARDED);
        SessionObjects b = objects(DataPathKind.FORWARDED);
        long xrcd = bench.xrcd(session, a.context());
        String apart = "are of different contexts";

        expectInvalid(qp(QpType.RC, a.pd(), b.cq(), a.cq(), 0), "PD and CQs " + apart);
        expectInvalid(qp(QpType.RC, a.pd(), a.cq(), b.cq(), 0), "PD and CQs " + apart);
        expectInvalid(qp(QpType.RC, b.pd(), a.cq(), a.cq(), 0), "PD and CQs " + apart);
        expectInvalid(qp(QpType.RC, a.pd(), a.cq(), a.cq(), b.srq()), "PD and SRQ " + apart);
        expectInvalid(
                new ControlRequest.CreateSrq(b.pd(), SessionObjects.SRQ_LIMITS, 0, xrcd, b.cq()),
                "PD, XRC domain and CQ " + apart);
        expectInvalid(
                new ControlRequest.CreateSrq(a.pd(), SessionObjects.SRQ_LIMITS, 0, xrcd, b.cq()),
                "PD, XRC domain and CQ " + apart);
    }

    @Test
    void sharedQueuesOfXrcNeedBothOfTheirParts() {
        SessionObjects own = objects(DataPathKind.FORWARDED);
        long xrcd = bench.xrcd(session, own.context());

        expectInvalid(
                new ControlRequest.CreateSrq(own.pd(), SessionObjects.SRQ_LIMITS, 0, 0, own.cq()),
                "no such XRC domain");
        expectInvalid(new ControlRequest.CreateSrq(own.pd(), SessionObjects.SRQ_LIMITS, 0, xrcd, 0), "no such CQ");
    }

    @Test
    void sharedQueuesOfXrcHoldTheirPartsUntilTheyEnd() {
        SessionObjects own = objects(DataPathKind.FORWARDED);
        long xrcd = bench.xrcd(session, own.context());
        long srq = bench.done(
                        session,
                        new ControlRequest.CreateSrq(own.pd(), SessionObjects.SRQ_LIMITS, 0, xrcd, own.cq()),
                        ControlReply.SrqCreated.class)
                .srq();
        ControlRequest endDomain = new ControlRequest.Destroy(ObjectKind.PD, xrcd);

        expectInvalid(qp(QpType.RC, own.pd(), own.cq(), own.cq(), srq), "takes no receives from an SRQ of XRC");
        assertThat(bench.refused(session, endDomain).status()).isEqualTo(VerbsStatus.EBUSY);
        bench.destroy(session, ObjectKind.SRQ, srq);
        bench.ok(session, endDomain);
    }

    @Test
    void queuePairsOfXrcHaveNoReceives() {
        SessionObjects own = objects(DataPathKind.FORWARDED);
        String words = "XRC has no receives of its own";

        expectInvalid(
                new ControlRequest.CreateQp(
                        own.pd(), QpType.XRC_SEND.code(), own.cq(), own.cq(), 0, SessionObjects.LIMITS),
                words);
        expectInvalid(qp(QpType.XRC_SEND, own.pd(), own.cq(), own.cq(), own.srq()), words);
        expectInvalid(
                new ControlRequest.CreateQp(
                        own.pd(), QpType.RC.code(), own.cq(), own.cq(), 0, SessionObjects.LIMITS, own.srq()),
                "on an SRQ has no receive queue");
    }

    @Test
    void ringsServeTheirOwnContext() {
        SessionObjects own = objects(DataPathKind.BYPASS);
        long other = bench.context(session, DataPathKind.BYPASS);
        long ring = bench.ring(session, other, 4096, List.of(bench.frames(session, 40, 1)));

        expectInvalid(new ControlRequest.CreateCq(own.context(), 1, ring, false), "the ring is of another context");
    }

    @Test
    void ringsHaveFrames() {
        SessionObjects own = objects(DataPathKind.BYPASS);

        expectInvalid(new ControlRequest.RegisterRing(own.context(), 4096, List.of()), "ring of 4096 bytes");
        expectInvalid(
                new ControlRequest.RegisterRing(own.context(), 0, List.of(bench.frames(session, 40, 1))),
                "ring of 0 bytes");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, (1 << 16) + 1, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void completionQueuesBecomeNoLargerThanTheHcaHas(int entries) {
        SessionObjects own = objects(DataPathKind.FORWARDED);

        expectInvalid(
                new ControlRequest.ResizeCq(own.cq(), entries, 0, 0), "entries " + entries + ", must be 1 to 65536");
    }

    @Test
    void completionQueuesGrowToTheEdge() {
        SessionObjects own = objects(DataPathKind.FORWARDED);

        bench.ok(session, new ControlRequest.ResizeCq(own.cq(), 1 << 12, 0, 0));
        bench.ok(session, new ControlRequest.ResizeCq(own.cq(), 1, 0, 0));
    }

    @ParameterizedTest
    @CsvSource({"-1, 0", "65536, 0", "0, -1", "0, 65536", "-2147483648, 0", "0, 2147483647"})
    void moderationEndsAtItsEdges(int count, int period) {
        SessionObjects own = objects(DataPathKind.FORWARDED);

        expectInvalid(
                new ControlRequest.ModerateCq(own.cq(), count, period), count + " completions or " + period + " us");
    }

    @ParameterizedTest
    @EnumSource
    void moderationIsTakenUpToItsEdges(DataPathKind path) {
        SessionObjects own = objects(path);
        int most = CompletionQueue.MAX_MODERATION;

        for (int[] pair : new int[][] {{0, 0}, {most, most}, {0, most}, {most, 0}}) {
            bench.ok(session, new ControlRequest.ModerateCq(own.cq(), pair[0], pair[1]));
        }
    }

    /** A stream's moderation is the pump's: the HCA is not asked and so cannot refuse. */
    @Test
    void moderationOfAStreamIsNotTheHcas() {
        SessionObjects stream = objects(DataPathKind.FORWARDED);
        SessionObjects calls = objects(DataPathKind.FORWARDED_UNARY);

        bench.faults.failCall(1);
        bench.ok(session, new ControlRequest.ModerateCq(stream.cq(), 2, 2));
        assertThat(bench.faults.tripped()).isFalse();
        ControlReply.Refused refused = bench.refused(session, new ControlRequest.ModerateCq(calls.cq(), 1, 1));

        assertThat(refused.status()).isEqualTo(VerbsStatus.EIO);
    }

    @ParameterizedTest
    @ValueSource(longs = {1L << 31, 0xffff_ffffL})
    void controlledQkeysAreForManagement(long qkey) {
        SessionObjects own = objects(DataPathKind.FORWARDED);

        ControlReply.Refused refused = bench.refused(
                session,
                new ControlRequest.ModifyQp(
                        own.qp(), QpAttributes.to(QpState.INIT).with(QpAttribute.QKEY, qkey)));

        assertThat(refused.status()).isEqualTo(VerbsStatus.EPERM);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 0x7fff_ffffL, 1L << 32, -1})
    void otherQkeysAreTheHcasToJudge(long qkey) {
        SessionObjects own = objects(DataPathKind.FORWARDED);

        bench.ok(
                session,
                new ControlRequest.ModifyQp(
                        own.qp(), QpAttributes.to(QpState.INIT).with(QpAttribute.QKEY, qkey)));
    }

    @ParameterizedTest
    @CsvSource({"0, EPERM", "1, EPERM", "2, SUCCESS", "-1, SUCCESS", "16777215, SUCCESS"})
    void nobodyConnectsToTheDeviceDomainsQueuePairs(long qpn, VerbsStatus status) {
        SessionObjects own = objects(DataPathKind.FORWARDED);
        ControlReply reply = bench.call(
                session,
                new ControlRequest.ModifyQp(
                        own.qp(), QpAttributes.to(QpState.RTR).with(QpAttribute.DEST_QPN, qpn)));

        assertThat(reply instanceof ControlReply.Refused r ? r.status() : VerbsStatus.SUCCESS)
                .isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({"0, EPERM", "1, EPERM", "-1, EINVAL", "99, EINVAL"})
    void nobodyCreatesThem(int typeCode, VerbsStatus status) {
        SessionObjects own = objects(DataPathKind.FORWARDED);

        assertThat(bench.refused(
                                session,
                                new ControlRequest.CreateQp(
                                        own.pd(), typeCode, own.cq(), own.cq(), 0, SessionObjects.LIMITS))
                        .status())
                .isEqualTo(status);
    }

    @ParameterizedTest
    @EnumSource
    void modifiesOfAnyPathReachTheHca(DataPathKind path) {
        SessionObjects own = objects(path);

        for (QpState state : new QpState[] {QpState.INIT, QpState.RESET}) {
            bench.ok(session, new ControlRequest.ModifyQp(own.qp(), QpAttributes.to(state)));
        }
        bench.hca.takeAnyModify();
        bench.ok(
                session,
                new ControlRequest.ModifyQp(own.qp(), QpAttributes.none().with(QpAttribute.MIN_RNR_TIMER, 3)));
    }

    @Test
    void anHcaThatLetsNothingGoKeepsEverything() {
        SessionObjects own = objects(DataPathKind.FORWARDED);
        bench.destroy(session, ObjectKind.QP, own.qp());
        FakeMachine.Counters before = bench.machine.counters();
        var used = ExecutorBench.used(session);
        bench.hca.refuseToDestroy();

        for (ObjectKind kind : ObjectKind.values()) {
            if (kind == ObjectKind.RING || kind == ObjectKind.QP) {
                continue;
            }
            ControlReply.Refused refused = bench.refused(session, new ControlRequest.Destroy(kind, own.handle(kind)));
            assertThat(refused.status()).as("%s", kind).isIn(VerbsStatus.EIO, VerbsStatus.EBUSY);
        }

        assertThat(bench.machine.counters()).isEqualTo(before);
        assertThat(ExecutorBench.used(session)).isEqualTo(used);
    }

    @Test
    void anHcaThatLetsNothingGoKeepsContextsDomainsAndGroups() {
        SessionObjects own = objects(DataPathKind.FORWARDED);
        long context = bench.context(session, DataPathKind.FORWARDED);
        long pd = bench.pd(session, own.context());
        Gid group = new Gid(0xff12_0000_0000_0000L, 1);
        bench.ok(session, new ControlRequest.AttachMulticast(own.qp(), group, 0xc001));
        var used = ExecutorBench.used(session);
        bench.hca.refuseToDestroy();

        for (ControlRequest request : List.of(
                new ControlRequest.Destroy(ObjectKind.CONTEXT, context),
                new ControlRequest.Destroy(ObjectKind.PD, pd),
                new ControlRequest.DetachMulticast(own.qp(), group, 0xc001))) {
            assertThat(bench.refused(session, request).status()).isEqualTo(VerbsStatus.EIO);
        }

        assertThat(ExecutorBench.used(session)).isEqualTo(used);
        bench.done(session, new ControlRequest.AllocatePd(context), ControlReply.PdAllocated.class);
    }

    @Test
    void aJournalThatTakesNothingStopsVerbsThatChangeSomething() {
        SessionObjects own = objects(DataPathKind.FORWARDED);
        var used = ExecutorBench.used(session);
        bench.journal.close();

        for (int i = 0; i < 50; i++) {
            ControlReply.Refused refused = bench.refused(session, new ControlRequest.AllocatePd(own.context()));
            assertThat(refused.status()).isEqualTo(VerbsStatus.ENOSPC);
            assertThat(refused.message()).isEqualTo("the journal takes no record");
        }
        bench.done(session, new ControlRequest.QuerySrq(own.srq()), ControlReply.SrqQueried.class);

        assertThat(ExecutorBench.used(session)).isEqualTo(used);
    }

    /** Refused ends would be leaks: on a full disk nobody could give anything back. */
    @ParameterizedTest
    @EnumSource(DataPathKind.class)
    void aJournalThatTakesNothingLetsAllBeGivenBack(DataPathKind path) {
        SessionObjects own = objects(path);
        bench.journal.close();

        List<ObjectKind> order = List.of(
                ObjectKind.QP,
                ObjectKind.AH,
                ObjectKind.SRQ,
                ObjectKind.CQ,
                ObjectKind.WINDOW,
                ObjectKind.REGION,
                ObjectKind.PD);
        for (ObjectKind kind : order) {
            bench.destroy(session, kind, own.handle(kind));
        }
        if (path == DataPathKind.BYPASS) {
            for (long ring : List.of(own.cqRing(), own.qpRing(), own.srqRing())) {
                bench.destroy(session, ObjectKind.RING, ring);
            }
        }
        bench.destroy(session, ObjectKind.CONTEXT, own.context());

        assertThat(ExecutorBench.used(session).values()).allMatch(inUse -> inUse == 0);
    }

    @Test
    void aFailedHcaEndsObjectsAndAnswersManagement() {
        SessionObjects own = objects(DataPathKind.FORWARDED);
        bench.hca.fail();

        assertThat(bench.refused(session, new ControlRequest.AllocatePd(own.context()))
                        .status())
                .isEqualTo(VerbsStatus.EIO);
        bench.destroy(session, ObjectKind.AH, own.ah());
        bench.done(
                session,
                new ControlRequest.Management(new ManagementRequest.CreateChannel(own.context())),
                ControlReply.Management.class);
    }
}
