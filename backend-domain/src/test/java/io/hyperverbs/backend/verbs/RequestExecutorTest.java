package io.hyperverbs.backend.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.testing.ExecutorBench;
import io.hyperverbs.backend.testing.FakeMachine;
import io.hyperverbs.backend.testing.SessionFixture;
import io.hyperverbs.backend.testing.SessionObjects;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.io.ObjectKind;
import io.hyperverbs.vmm.io.ProtocolViolation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RequestExecutorTest extends SessionFixture {
    private static final Gid GROUP = new Gid(0xff12_0000_0000_0000L, 1);
    private static final int GROUP_LID = 0xc001;

    private FakeMachine.Counters baseline;

    @BeforeEach
    void setUp() {
        baseline = bench.machine.counters();
    }

    @ParameterizedTest
    @EnumSource(DataPathKind.class)
    void createsAndDestroysEveryObjectAndLeavesNothing(DataPathKind path) {
        Map<?, ?> unused = ExecutorBench.used(session);

        SessionObjects objects = SessionObjects.create(bench, session, path);

        bench.destroy(session, ObjectKind.AH, objects.ah());
        bench.destroy(session, ObjectKind.QP, objects.qp());
        bench.destroy(session, ObjectKind.SRQ, objects.srq());
        bench.destroy(session, ObjectKind.CQ, objects.cq());
        if (path == DataPathKind.BYPASS) {
            bench.destroy(session, ObjectKind.RING, objects.qpRing());
            bench.destroy(session, ObjectKind.RING, objects.srqRing());
            bench.destroy(session, ObjectKind.RING, objects.cqRing());
        }
        bench.destroy(session, ObjectKind.REGION, objects.region());
        bench.destroy(session, ObjectKind.WINDOW, objects.window());
        bench.destroy(session, ObjectKind.PD, objects.pd());
        bench.destroy(session, ObjectKind.CONTEXT, objects.context());
        assertThat(bench.machine.counters()).isEqualTo(baseline);
        assertThat(bench.hca.live()).isEmpty();
        assertThat(ExecutorBench.used(session)).isEqualTo(unused);
    }

    @Test
    void afterAFailureOfTheHcaThereIsDestroyingOnly() {
        SessionObjects objects = SessionObjects.create(bench, session, DataPathKind.BYPASS);
        bench.hca.fail();

        assertThat(bench.refused(session, new ControlRequest.QueryDevice(objects.context()))
                        .status())
                .isEqualTo(VerbsStatus.EIO);
        assertThat(bench.refused(session, new ControlRequest.AllocatePd(objects.context()))
                        .status())
                .isEqualTo(VerbsStatus.EIO);
        bench.destroy(session, ObjectKind.QP, objects.qp());
        bench.destroy(session, ObjectKind.WINDOW, objects.window());
        bench.destroy(session, ObjectKind.REGION, objects.region());
    }

    @Test
    void showsVerbsThatBeginWhileSomebodyLooks() {
        List<String> seen = new ArrayList<>();
        bench.executor.tap((of, request) -> reply -> seen.add(of.name() + " "
                + request.getClass().getSimpleName() + " " + reply.getClass().getSimpleName()));

        SessionObjects objects = SessionObjects.create(bench, session, DataPathKind.BYPASS);
        int created = seen.size();
        assertThat(refusal(ObjectKind.PD, objects.pd())).isEqualTo(VerbsStatus.EBUSY);
        bench.executor.tap(null);
        bench.destroy(session, ObjectKind.AH, objects.ah());

        assertThat(created).isPositive();
        assertThat(seen).hasSize(created + 1);
        assertThat(seen.getFirst()).isEqualTo(session.name() + " OpenContext ContextOpened");
        assertThat(seen.getLast()).isEqualTo(session.name() + " Destroy Refused");
    }

    @Test
    void refusesToDestroyWhatIsReferenced() {
        SessionObjects objects = SessionObjects.create(bench, session, DataPathKind.BYPASS);

        assertThat(refusal(ObjectKind.CONTEXT, objects.context())).isEqualTo(VerbsStatus.EBUSY);
        assertThat(refusal(ObjectKind.PD, objects.pd())).isEqualTo(VerbsStatus.EBUSY);
        assertThat(refusal(ObjectKind.CQ, objects.cq())).isEqualTo(VerbsStatus.EBUSY);
        assertThat(refusal(ObjectKind.RING, objects.cqRing())).isEqualTo(VerbsStatus.EBUSY);
        assertThat(refusal(ObjectKind.RING, objects.qpRing())).isEqualTo(VerbsStatus.EBUSY);
    }

    @ParameterizedTest
    @EnumSource(ObjectKind.class)
    void answersUnknownAndForeignHandlesAlikeOnDestroy(ObjectKind kind) {
        Session other = bench.session(2, Map.of());
        SessionObjects foreign = SessionObjects.create(bench, other, DataPathKind.BYPASS);
        ControlRequest.Destroy ofForeign = new ControlRequest.Destroy(kind, foreign.handle(kind));

        ControlReply.Refused toForeign = bench.refused(session, ofForeign);
        ControlReply.Refused toUnknown = bench.refused(session, new ControlRequest.Destroy(kind, 12345));

        assertThat(toForeign.status()).isEqualTo(VerbsStatus.ENOENT);
        assertThat(toForeign).isEqualTo(toUnknown);
    }

    @Test
    void answersForeignHandlesAsParametersWithEinval() {
        Session other = bench.session(2, Map.of());
        SessionObjects foreign = SessionObjects.create(bench, other, DataPathKind.BYPASS);
        SessionObjects own = SessionObjects.create(bench, session, DataPathKind.BYPASS);
        FrameRun frames = bench.frames(session, 32, 1);

        List<ControlRequest> requests = List.of(
                new ControlRequest.QueryDevice(foreign.context()),
                new ControlRequest.QueryPort(foreign.context(), 1),
                new ControlRequest.AllocatePd(foreign.context()),
                SessionObjects.register(foreign.pd(), frames),
                new ControlRequest.AllocateWindow(foreign.pd(), 2),
                new ControlRequest.AllocateWindow(own.pd(), 0),
                new ControlRequest.AllocateWindow(own.pd(), 3),
                new ControlRequest.RegisterRing(foreign.context(), 4096, List.of(frames)),
                new ControlRequest.CreateCq(foreign.context(), 1, own.cqRing(), false),
                new ControlRequest.CreateCq(own.context(), 1, foreign.cqRing(), false),
                SessionObjects.createQp(foreign.pd(), own.cq(), own.qpRing()),
                SessionObjects.createQp(own.pd(), foreign.cq(), own.qpRing()),
                SessionObjects.createQp(own.pd(), own.cq(), foreign.qpRing()),
                new ControlRequest.ModifyQp(foreign.qp(), QpAttributes.to(QpState.ERR)),
                new ControlRequest.QueryQp(foreign.qp()),
                new ControlRequest.CreateAh(foreign.pd(), AddressAttributes.of(1)),
                new ControlRequest.AttachMulticast(foreign.qp(), GROUP, GROUP_LID),
                new ControlRequest.DetachMulticast(foreign.qp(), GROUP, GROUP_LID));

        assertThat(requests)
                .allSatisfy(request ->
                        assertThat(bench.refused(session, request).status()).isEqualTo(VerbsStatus.EINVAL));
    }

    @Test
    void answersSecondDestroyWithEnoent() {
        SessionObjects objects = SessionObjects.create(bench, session, DataPathKind.BYPASS);
        bench.destroy(session, ObjectKind.REGION, objects.region());

        assertThat(refusal(ObjectKind.REGION, objects.region())).isEqualTo(VerbsStatus.ENOENT);
    }

    @Test
    void repeatsTheReplyOfARetryWithoutASecondEffect() {
        ControlRequest request = new ControlRequest.OpenContext(DataPathKind.BYPASS);
        ControlReply first = bench.executor.execute(session, 7, request);

        ControlReply second = bench.executor.execute(session, 7, request);

        assertThat(second).isSameAs(first);
        assertThat(bench.hca.live()).hasSize(1);
    }

    @Test
    void takesAnotherRequestUnderAUsedIdForAViolation() {
        bench.executor.execute(session, 7, new ControlRequest.OpenContext(DataPathKind.BYPASS));

        assertThatThrownBy(() -> bench.executor.execute(session, 7, new ControlRequest.AllocatePd(1)))
                .isInstanceOf(ProtocolViolation.class);
    }

    @Test
    void aJournalQuotaStopsWhatCreatesAndNotWhatEnds() {
        Session greedy = bench.session(4, Map.of("quota.journal", "5000", "quota.pd", "1000"));
        long context = bench.context(greedy, DataPathKind.BYPASS);
        List<Long> made = new ArrayList<>();

        ControlReply reply = bench.call(greedy, new ControlRequest.AllocatePd(context));
        while (reply instanceof ControlReply.PdAllocated pd) {
            made.add(pd.pd());
            reply = bench.call(greedy, new ControlRequest.AllocatePd(context));
        }

        assertThat(made).hasSizeBetween(5, 50);
        assertThat(reply)
                .isEqualTo(new ControlReply.Refused(
                        VerbsStatus.EAGAIN, "quota journal: more than 5000 bytes of records per second"));
        for (long pd : made) {
            bench.destroy(greedy, ObjectKind.PD, pd);
        }
        // All that was charged, and a record more.
        bench.passSeconds(made.size());
        bench.done(greedy, new ControlRequest.AllocatePd(context), ControlReply.PdAllocated.class);
        // Others have their own.
        bench.done(session, new ControlRequest.OpenContext(DataPathKind.BYPASS), ControlReply.ContextOpened.class);
    }

    @Test
    void refusesEverythingAfterTeardown() {
        SessionObjects.create(bench, session, DataPathKind.FORWARDED);

        int left = bench.teardown.close(session);

        assertThat(left).isZero();
        assertThat(bench.machine.counters()).isEqualTo(baseline);
        assertThat(bench.hca.live()).isEmpty();
        assertThat(bench.refused(session, new ControlRequest.OpenContext(DataPathKind.BYPASS))
                        .status())
                .isEqualTo(VerbsStatus.EIO);
    }

    @Test
    void keepsFramesPinnedThatTheHcaDoesNotLetGo() {
        SessionObjects.create(bench, session, DataPathKind.BYPASS);
        FakeMachine.Counters busy = bench.machine.counters();
        bench.hca.refuseToDestroy();

        int left = bench.teardown.close(session);

        assertThat(left).isEqualTo(11);
        assertThat(bench.machine.counters()).isEqualTo(busy);
    }

    @Test
    void limitsControlVerbsPerSecond() {
        Session slow = bench.session(3, Map.of("quota.control-rate", "2"));
        ControlRequest request = new ControlRequest.QueryPort(1, 1);
        bench.refused(slow, request);
        bench.refused(slow, request);

        ControlReply.Refused third = bench.refused(slow, request);
        bench.passSeconds(1);
        ControlReply.Refused fourth = bench.refused(slow, request);

        assertThat(third.status()).isEqualTo(VerbsStatus.EAGAIN);
        assertThat(third.message()).contains("control-rate").contains("2");
        assertThat(fourth.status()).isEqualTo(VerbsStatus.EINVAL);
    }

    @Test
    void weighsARequestByWhatItCosts() {
        Session slow = bench.session(3, Map.of("quota.control-rate", "100"));
        List<FrameRun> runs = Collections.nCopies(50 * VerbCost.RUNS, new FrameRun(1, 1));
        ControlRequest wide = new ControlRequest.RegisterMemory(1, 0, 4096, 1, runs);
        ControlRequest narrow = new ControlRequest.QueryPort(1, 1);

        assertThat(bench.refused(slow, wide).status()).isEqualTo(VerbsStatus.EINVAL);
        for (int i = 0; i < 49; i++) {
            assertThat(bench.refused(slow, narrow).status()).isEqualTo(VerbsStatus.EINVAL);
        }

        // 51 and 49 of 100.
        assertThat(bench.refused(slow, narrow).status()).isEqualTo(VerbsStatus.EAGAIN);
        bench.passMillis(100);
        assertThat(bench.refused(slow, wide).status()).isEqualTo(VerbsStatus.EAGAIN);
        assertThat(bench.refused(slow, narrow).status()).isEqualTo(VerbsStatus.EINVAL);
    }

    @Test
    void endsWhatThereIsWhateverTheRate() {
        Session slow = bench.session(3, Map.of("quota.control-rate", "2"));
        long context = bench.context(slow, DataPathKind.BYPASS);
        long pd = bench.pd(slow, context);
        ControlRequest.AllocatePd another = new ControlRequest.AllocatePd(context);
        assertThat(bench.refused(slow, another).status()).isEqualTo(VerbsStatus.EAGAIN);

        bench.destroy(slow, ObjectKind.PD, pd);
        bench.destroy(slow, ObjectKind.CONTEXT, context);

        // Two are owed, and the bucket has to hold one again.
        bench.passSeconds(1);
        assertThat(bench.refused(slow, another).status()).isEqualTo(VerbsStatus.EAGAIN);
    }

    @Test
    void refusesToEndNothingForEver() {
        Session slow = bench.session(3, Map.of("quota.control-rate", "2"));
        ControlRequest.Destroy nothing = new ControlRequest.Destroy(ObjectKind.PD, 5);

        assertThat(bench.refused(slow, nothing).status()).isEqualTo(VerbsStatus.ENOENT);
        VerbsStatus last = VerbsStatus.ENOENT;
        for (long i = 0; i < slow.quota().maxObjects() + 2; i++) {
            last = bench.refused(slow, nothing).status();
        }

        assertThat(last).isEqualTo(VerbsStatus.EAGAIN);
    }

    @Test
    void tellsTheSmallerOfHcaAndQuota() {
        Session small = bench.session(3, Map.of("quota.qp", "5", "quota.registered", "8192"));
        long context = bench.context(small, DataPathKind.BYPASS);

        var attributes = bench.done(small, new ControlRequest.QueryDevice(context), ControlReply.DeviceQueried.class)
                .attributes();

        assertThat(attributes.maxQp()).isEqualTo(5);
        assertThat(attributes.maxRegionBytes()).isEqualTo(8192);
        assertThat(attributes.maxCqe()).isEqualTo(1 << 16);
    }

    @Test
    void givesNativeDomainsFramesInsteadOfGrants() {
        Session here = bench.session(4, true, Map.of());
        int grants = bench.machine.counters().grants();

        ControlReply.ContextOpened opened =
                bench.done(here, new ControlRequest.OpenContext(DataPathKind.BYPASS), ControlReply.ContextOpened.class);

        assertThat(bench.machine.counters().grants()).isEqualTo(grants);
        assertThat(opened.statusGrant()).isEqualTo(bench.services.statusPage().firstMachineFrame());
    }

    private VerbsStatus refusal(ObjectKind kind, long handle) {
        return bench.refused(session, new ControlRequest.Destroy(kind, handle)).status();
    }
}
