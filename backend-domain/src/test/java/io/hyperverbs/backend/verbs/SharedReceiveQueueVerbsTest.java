package io.hyperverbs.backend.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.testing.BenchFixture;
import io.hyperverbs.backend.testing.FakeMachine;
import io.hyperverbs.backend.testing.SessionObjects;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.SrqLimits;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ObjectKind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SharedReceiveQueueVerbsTest extends BenchFixture {
    private static final QpLimits NO_RECEIVES = QpLimits.of(16, 0);

    private Session session;

    @BeforeEach
    void openSession() {
        session = bench.session(1, Map.of("quota.srq", "2"));
    }

    @Test
    void answersForeignHandlesAsParametersWithEinval() {
        SessionObjects foreign = SessionObjects.create(bench, bench.session(2, Map.of()), DataPathKind.FORWARDED);
        SessionObjects own = SessionObjects.create(bench, session, DataPathKind.FORWARDED);

        List<ControlRequest> requests = List.of(
                new ControlRequest.CreateSrq(foreign.pd(), SessionObjects.SRQ_LIMITS, 0),
                new ControlRequest.ArmSrq(foreign.srq(), 1),
                new ControlRequest.ResizeSrq(foreign.srq(), 32, 0),
                new ControlRequest.QuerySrq(foreign.srq()),
                onQueue(own, NO_RECEIVES, foreign.srq()));

        assertThat(requests)
                .allSatisfy(request ->
                        assertThat(bench.refused(session, request).status()).isEqualTo(VerbsStatus.EINVAL));
    }

    @Test
    void refusesSizesBeyondTheHca() {
        SessionObjects own = SessionObjects.create(bench, session, DataPathKind.FORWARDED);

        for (SrqLimits limits : List.of(
                new SrqLimits(0, 1),
                new SrqLimits(-1, 1),
                new SrqLimits(Integer.MAX_VALUE, 1),
                new SrqLimits(1, 0),
                new SrqLimits(1, Integer.MAX_VALUE))) {
            assertThat(bench.refused(session, new ControlRequest.CreateSrq(own.pd(), limits, 0))
                            .status())
                    .as("%s", limits)
                    .isEqualTo(VerbsStatus.EINVAL);
        }
    }

    @Test
    void keepsAQueueWhileQueuePairsUseIt() {
        SessionObjects own = SessionObjects.create(bench, session, DataPathKind.FORWARDED);
        long qp = bench.done(session, onQueue(own, NO_RECEIVES, own.srq()), ControlReply.QpCreated.class)
                .qp();
        ControlRequest destroy = new ControlRequest.Destroy(ObjectKind.SRQ, own.srq());

        VerbsStatus whileUsed = bench.refused(session, destroy).status();
        bench.destroy(session, ObjectKind.QP, qp);

        assertThat(whileUsed).isEqualTo(VerbsStatus.EBUSY);
        bench.ok(session, destroy);
    }

    @Test
    void givesTheOldMemoryBackOnceResized() {
        SessionObjects own = SessionObjects.create(bench, session, DataPathKind.FORWARDED);
        FakeMachine.Counters before = bench.machine.counters();

        bench.ok(session, new ControlRequest.ResizeSrq(own.srq(), SessionObjects.SRQ_LIMITS.receiveWr(), 0));

        assertThat(bench.machine.counters()).isEqualTo(before);
    }

    @Test
    void letsGoOfTheOldRingOnceResized() {
        SessionObjects own = SessionObjects.create(bench, session, DataPathKind.BYPASS);
        long larger = bench.ring(
                session,
                own.context(),
                SessionObjects.SRQ_BYTES,
                List.of(SessionObjects.ringFrames(bench, session, 80, SessionObjects.SRQ_BYTES)));
        ControlRequest destroyOld = new ControlRequest.Destroy(ObjectKind.RING, own.srqRing());
        VerbsStatus whileUsed = bench.refused(session, destroyOld).status();

        bench.ok(session, new ControlRequest.ResizeSrq(own.srq(), SessionObjects.SRQ_LIMITS.receiveWr(), larger));

        assertThat(whileUsed).isEqualTo(VerbsStatus.EBUSY);
        bench.ok(session, destroyOld);
        assertThat(bench.refused(session, new ControlRequest.Destroy(ObjectKind.RING, larger))
                        .status())
                .isEqualTo(VerbsStatus.EBUSY);
    }

    @Test
    void endsWithItsSession() {
        FakeMachine.Counters baseline = bench.machine.counters();
        SessionObjects own = SessionObjects.create(bench, session, DataPathKind.FORWARDED);
        bench.done(session, onQueue(own, NO_RECEIVES, own.srq()), ControlReply.QpCreated.class);

        int left = bench.teardown.close(session);

        assertThat(left).isZero();
        assertThat(bench.hca.live()).isEmpty();
        assertThat(bench.machine.counters()).isEqualTo(baseline);
        assertThat(session.quota().used(QuotaKind.SRQ)).isZero();
    }

    private static ControlRequest onQueue(SessionObjects own, QpLimits limits, long srq) {
        return new ControlRequest.CreateQp(own.pd(), QpType.RC.code(), own.cq(), own.cq(), 0, limits, srq);
    }
}
