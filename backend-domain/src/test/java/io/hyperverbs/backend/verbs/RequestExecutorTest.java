package io.hyperverbs.backend.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.testing.Bench;
import io.hyperverbs.backend.testing.FakeMachine;
import io.hyperverbs.backend.testing.Objects;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.io.ObjectKind;
import io.hyperverbs.vmm.io.ProtocolViolation;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

class RequestExecutorTest {
    private static final Gid GROUP = new Gid(0xff12_0000_0000_0000L, 1);
    private static final int GROUP_LID = 0xc001;

    @TempDir Path state;
    private Bench bench;
    private Session session;
    private FakeMachine.Counters baseline;

    @BeforeEach
    void setUp() {
        bench = new Bench(state);
        session = bench.session(1, Map.of());
        baseline = bench.machine.counters();
    }

    @AfterEach
    void tearDown() {
        bench.close();
    }

    @ParameterizedTest
    @EnumSource(DataPathKind.class)
    void createsAndDestroysEveryObjectAndLeavesNothing(DataPathKind path) {
        Map<?, ?> unused = Bench.used(session);

        Objects objects = Objects.create(bench, session, path);

        destroy(ObjectKind.AH, objects.ah());
        destroy(ObjectKind.QP, objects.qp());
        destroy(ObjectKind.SRQ, objects.srq());
        destroy(ObjectKind.CQ, objects.cq());
        if (path == DataPathKind.BYPASS) {
            destroy(ObjectKind.RING, objects.qpRing());
            destroy(ObjectKind.RING, objects.srqRing());
            destroy(ObjectKind.RING, objects.cqRing());
        }
        destroy(ObjectKind.REGION, objects.region());
        destroy(ObjectKind.WINDOW, objects.window());
        destroy(ObjectKind.PD, objects.pd());
        destroy(ObjectKind.CONTEXT, objects.context());
        assertThat(bench.machine.counters()).isEqualTo(baseline);
        assertThat(bench.hca.live()).isEmpty();
        assertThat(Bench.used(session)).isEqualTo(unused);
    }

    @Test
    void afterAFailureOfTheCardThereIsDestroyingOnly() {
        Objects objects = Objects.create(bench, session, DataPathKind.BYPASS);
        bench.hca.fail();

        assertThat(
                        bench.refused(session, new ControlRequest.QueryDevice(objects.context()))
                                .status())
                .isEqualTo(VerbsStatus.EIO);
        assertThat(
                        bench.refused(session, new ControlRequest.AllocatePd(objects.context()))
                                .status())
                .isEqualTo(VerbsStatus.EIO);
        destroy(ObjectKind.QP, objects.qp());
        destroy(ObjectKind.WINDOW, objects.window());
        destroy(ObjectKind.REGION, objects.region());
    }

    @Test
    void refusesToDestroyWhatIsReferenced() {
        Objects objects = Objects.create(bench, session, DataPathKind.BYPASS);

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
        Objects foreign = Objects.create(bench, other, DataPathKind.BYPASS);
        ControlRequest.Destroy ofForeign = new ControlRequest.Destroy(kind, handle(foreign, kind));

        ControlReply.Refused toForeign = bench.refused(session, ofForeign);
        ControlReply.Refused toUnknown =
                bench.refused(session, new ControlRequest.Destroy(kind, 12345));

        assertThat(toForeign.status()).isEqualTo(VerbsStatus.ENOENT);
        assertThat(toForeign).isEqualTo(toUnknown);
    }

    @Test
    void answersForeignHandlesAsParametersWithEinval() {
        Session other = bench.session(2, Map.of());
        Objects foreign = Objects.create(bench, other, DataPathKind.BYPASS);
        Objects own = Objects.create(bench, session, DataPathKind.BYPASS);
        FrameRun frames = bench.frames(session, 32, 1);

        List<ControlRequest> requests =
                List.of(
                        new ControlRequest.QueryDevice(foreign.context()),
                        new ControlRequest.QueryPort(foreign.context(), 1),
                        new ControlRequest.AllocatePd(foreign.context()),
                        Objects.register(foreign.pd(), frames),
                        new ControlRequest.AllocateWindow(foreign.pd(), 2),
                        new ControlRequest.AllocateWindow(own.pd(), 0),
                        new ControlRequest.AllocateWindow(own.pd(), 3),
                        new ControlRequest.RegisterRing(foreign.context(), 4096, List.of(frames)),
                        new ControlRequest.CreateCq(foreign.context(), 1, own.cqRing(), false),
                        new ControlRequest.CreateCq(own.context(), 1, foreign.cqRing(), false),
                        Objects.createQp(foreign.pd(), own.cq(), own.qpRing()),
                        Objects.createQp(own.pd(), foreign.cq(), own.qpRing()),
                        Objects.createQp(own.pd(), own.cq(), foreign.qpRing()),
                        new ControlRequest.ModifyQp(foreign.qp(), QpAttributes.to(QpState.ERR)),
                        new ControlRequest.QueryQp(foreign.qp()),
                        new ControlRequest.CreateAh(foreign.pd(), AddressAttributes.of(1)),
                        new ControlRequest.AttachMulticast(foreign.qp(), GROUP, GROUP_LID),
                        new ControlRequest.DetachMulticast(foreign.qp(), GROUP, GROUP_LID));

        assertThat(requests)
                .allSatisfy(
                        request ->
                                assertThat(bench.refused(session, request).status())
                                        .isEqualTo(VerbsStatus.EINVAL));
    }

    @Test
    void answersSecondDestroyWithEnoent() {
        Objects objects = Objects.create(bench, session, DataPathKind.BYPASS);
        destroy(ObjectKind.REGION, objects.region());

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

        assertThatThrownBy(
                        () -> bench.executor.execute(session, 7, new ControlRequest.AllocatePd(1)))
                .isInstanceOf(ProtocolViolation.class);
    }

    @Test
    void refusesEverythingAfterTeardown() {
        Objects.create(bench, session, DataPathKind.FORWARDED);

        int left = bench.teardown.close(session);

        assertThat(left).isZero();
        assertThat(bench.machine.counters()).isEqualTo(baseline);
        assertThat(bench.hca.live()).isEmpty();
        assertThat(
                        bench.refused(session, new ControlRequest.OpenContext(DataPathKind.BYPASS))
                                .status())
                .isEqualTo(VerbsStatus.EIO);
    }

    @Test
    void keepsFramesPinnedThatTheHcaDoesNotLetGo() {
        Objects.create(bench, session, DataPathKind.BYPASS);
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
    void endsWhatThereIsWhateverTheRate() {
        Session slow = bench.session(3, Map.of("quota.control-rate", "2"));
        long context = context(slow, DataPathKind.BYPASS);
        long pd =
                bench.done(
                                slow,
                                new ControlRequest.AllocatePd(context),
                                ControlReply.PdAllocated.class)
                        .pd();
        ControlRequest.AllocatePd another = new ControlRequest.AllocatePd(context);
        assertThat(bench.refused(slow, another).status()).isEqualTo(VerbsStatus.EAGAIN);

        bench.done(slow, new ControlRequest.Destroy(ObjectKind.PD, pd), ControlReply.Done.class);
        bench.done(
                slow,
                new ControlRequest.Destroy(ObjectKind.CONTEXT, context),
                ControlReply.Done.class);

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
    void tellsTheSmallerOfCardAndQuota() {
        Session small = bench.session(3, Map.of("quota.qp", "5", "quota.registered", "8192"));
        long context = context(small, DataPathKind.BYPASS);

        var attributes =
                bench.done(
                                small,
                                new ControlRequest.QueryDevice(context),
                                ControlReply.DeviceQueried.class)
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
                bench.done(
                        here,
                        new ControlRequest.OpenContext(DataPathKind.BYPASS),
                        ControlReply.ContextOpened.class);

        assertThat(bench.machine.counters().grants()).isEqualTo(grants);
        assertThat(opened.statusGrant()).isEqualTo(bench.platform.statusPage().firstMachineFrame());
    }

    @Nested
    class Registration {
        @Test
        void passesExactlyThePagesOfTheRange() {
            Objects own = Objects.create(bench, session, DataPathKind.BYPASS);
            FrameRun frames = bench.frames(session, 40, 2);

            bench.done(
                    session,
                    register(own.pd(), 0x10ff0, 32, Access.LOCAL_WRITE.bit(), frames),
                    ControlReply.MemoryRegistered.class);

            assertThat(bench.hca.lastRegion().offsetInFirstRun()).isEqualTo(0xff0);
            assertThat(bench.hca.lastRegion().runs()).hasSize(1);
            assertThat(bench.hca.lastRegion().runs().getFirst().machineAddress())
                    .isEqualTo(frames.firstMachineAddress());
        }

        @Test
        void refusesBadNumbersBeforeAnyEffect() {
            Objects own = Objects.create(bench, session, DataPathKind.BYPASS);
            FakeMachine.Counters before = bench.machine.counters();
            FrameRun one = bench.frames(session, 40, 1);
            FrameRun two = bench.frames(session, 40, 2);
            int write = Access.LOCAL_WRITE.bit();

            List<ControlRequest> bad =
                    List.of(
                            register(own.pd(), 0x10000, 0, write, one),
                            register(own.pd(), 0x10000, -1, write, one),
                            register(own.pd(), 0x10000, Long.MAX_VALUE, write, one),
                            register(own.pd(), 0x10000, 4096, write, two),
                            register(own.pd(), 0x10001, 4096, write, one),
                            register(own.pd(), -4096, 8192, write, two),
                            register(own.pd(), 0x10000, 4096, Access.REMOTE_WRITE.bit(), one),
                            register(own.pd(), 0x10000, 4096, Access.REMOTE_ATOMIC.bit(), one),
                            register(own.pd(), 0x10000, 4096, 1 << 20, one),
                            register(own.pd(), 0x10000, 4096, write));

            assertThat(bad)
                    .allSatisfy(
                            request ->
                                    assertThat(bench.refused(session, request).status())
                                            .isEqualTo(VerbsStatus.EINVAL));
            assertThat(bench.machine.counters()).isEqualTo(before);
        }

        @Test
        void takesTheLastPageOfTheAddressSpace() {
            Objects own = Objects.create(bench, session, DataPathKind.BYPASS);

            bench.done(
                    session,
                    register(
                            own.pd(),
                            -4096,
                            4096,
                            Access.LOCAL_WRITE.bit(),
                            bench.frames(session, 40, 1)),
                    ControlReply.MemoryRegistered.class);
        }

        @Test
        void refusesFramesThatAreNotOrdinaryMemoryOfTheDomain() {
            Session other = bench.session(2, Map.of());
            Objects own = Objects.create(bench, session, DataPathKind.BYPASS);
            int write = Access.LOCAL_WRITE.bit();

            List<FrameRun> bad =
                    List.of(
                            bench.frames(other, 0, 1),
                            bench.frames(session, 8, 1),
                            new FrameRun(bench.platform.statusPage().firstMachineFrame(), 1),
                            new FrameRun(1L << 40, 1));

            assertThat(bad)
                    .allSatisfy(
                            run ->
                                    assertThat(
                                                    bench.refused(
                                                                    session,
                                                                    register(
                                                                            own.pd(), 0, 4096,
                                                                            write, run))
                                                            .status())
                                            .isEqualTo(VerbsStatus.EFAULT));
        }

        @Test
        void countsRegionsAndBytesExactly() {
            Session small = bench.session(3, Map.of("quota.mr", "2", "quota.registered", "12288"));
            long pd = pd(small, context(small, DataPathKind.BYPASS));
            register(small, pd, 0, 1);

            ControlReply.Refused bytes =
                    bench.refused(small, Objects.register(pd, bench.frames(small, 1, 3)));
            register(small, pd, 1, 2);
            ControlReply.Refused count =
                    bench.refused(small, Objects.register(pd, bench.frames(small, 3, 1)));

            assertThat(bytes.status()).isEqualTo(VerbsStatus.EAGAIN);
            assertThat(bytes.message()).contains("registered").contains("4096 of 12288");
            assertThat(count.status()).isEqualTo(VerbsStatus.EAGAIN);
            assertThat(count.message()).contains("quota mr: 2 of 2");
        }

        private void register(Session of, long pd, int first, int count) {
            bench.done(
                    of,
                    Objects.register(pd, bench.frames(of, first, count)),
                    ControlReply.MemoryRegistered.class);
        }

        private ControlRequest register(
                long pd, long address, long length, int access, FrameRun... runs) {
            return new ControlRequest.RegisterMemory(pd, address, length, access, List.of(runs));
        }
    }

    @Nested
    class Rings {
        @Test
        void mustBeContiguousWholeAndUnpinned() {
            Objects own = Objects.create(bench, session, DataPathKind.BYPASS);
            FrameRun first = bench.frames(session, 40, 1);
            FrameRun apart = bench.frames(session, 42, 1);

            assertThat(bench.refused(session, ring(own, 8192, first, apart)).status())
                    .isEqualTo(VerbsStatus.EINVAL);
            assertThat(bench.refused(session, ring(own, 4097, first)).status())
                    .isEqualTo(VerbsStatus.EINVAL);
            assertThat(bench.refused(session, ring(own, 0, first)).status())
                    .isEqualTo(VerbsStatus.EINVAL);
            assertThat(
                            bench.refused(session, ring(own, 4096, bench.frames(session, 0, 1)))
                                    .status())
                    .isEqualTo(VerbsStatus.EFAULT);
        }

        @Test
        void serveOneQueue() {
            Objects own = Objects.create(bench, session, DataPathKind.BYPASS);

            ControlReply.Refused second =
                    bench.refused(session, Objects.createQp(own.pd(), own.cq(), own.qpRing()));

            assertThat(second.status()).isEqualTo(VerbsStatus.EBUSY);
        }

        @Test
        void mustHoldTheQueue() {
            Objects own = Objects.create(bench, session, DataPathKind.BYPASS);
            long small =
                    bench.done(
                                    session,
                                    ring(own, 4096, bench.frames(session, 40, 1)),
                                    ControlReply.RingRegistered.class)
                            .ring();

            ControlReply.Refused refused =
                    bench.refused(
                            session, new ControlRequest.CreateCq(own.context(), 64, small, false));

            assertThat(refused.status()).isEqualTo(VerbsStatus.EINVAL);
        }

        private ControlRequest ring(Objects own, long length, FrameRun... runs) {
            return new ControlRequest.RegisterRing(own.context(), length, List.of(runs));
        }
    }

    @Nested
    class Queues {
        @Test
        void refuseBadSizes() {
            Objects own = Objects.create(bench, session, DataPathKind.FORWARDED);
            FakeMachine.Counters before = bench.machine.counters();

            List<ControlRequest> bad =
                    List.of(
                            new ControlRequest.CreateCq(own.context(), 0, 0, false),
                            new ControlRequest.CreateCq(own.context(), -1, 0, false),
                            new ControlRequest.CreateCq(own.context(), (1 << 16) + 1, 0, false),
                            new ControlRequest.CreateCq(own.context(), 1, 77, false),
                            qp(own, QpType.RC.code(), QpLimits.of(0, 1)),
                            qp(own, QpType.RC.code(), QpLimits.of(1 << 17, 1)),
                            qp(own, QpType.RC.code(), QpLimits.of(1, -1)),
                            qp(own, QpType.RC.code(), QpLimits.of(1, 1).withSge(31, 1)),
                            qp(own, QpType.RC.code(), QpLimits.of(1, 1).withInlineBytes(4096)),
                            qp(own, 99, QpLimits.of(1, 1)));

            assertThat(bad)
                    .allSatisfy(
                            request ->
                                    assertThat(bench.refused(session, request).status())
                                            .isEqualTo(VerbsStatus.EINVAL));
            assertThat(bench.machine.counters()).isEqualTo(before);
        }

        @Test
        void roundEntriesUpToAPowerOfTwo() {
            long context = context(session, DataPathKind.FORWARDED);

            ControlReply.CqCreated created =
                    bench.done(
                            session,
                            new ControlRequest.CreateCq(context, 33, 0, false),
                            ControlReply.CqCreated.class);

            assertThat(created.entries()).isEqualTo(64);
        }

        @Test
        void countAgainstQuotas() {
            Session small =
                    bench.session(3, Map.of("quota.qp", "1", "quota.cq", "2", "quota.cqe", "96"));
            Objects own = Objects.create(bench, small, DataPathKind.FORWARDED);

            ControlReply.Refused qp = bench.refused(small, Objects.createQp(own.pd(), own.cq(), 0));
            ControlReply.Refused cqe =
                    bench.refused(small, new ControlRequest.CreateCq(own.context(), 33, 0, false));
            bench.done(
                    small,
                    new ControlRequest.CreateCq(own.context(), 32, 0, false),
                    ControlReply.CqCreated.class);
            ControlReply.Refused cq =
                    bench.refused(small, new ControlRequest.CreateCq(own.context(), 1, 0, false));

            assertThat(qp.message()).contains("quota qp: 1 of 1");
            assertThat(cqe.message()).contains("quota cqe: 64 of 96");
            assertThat(cq.message()).contains("quota cq: 2 of 2");
            assertThat(List.of(qp.status(), cqe.status(), cq.status()))
                    .containsOnly(VerbsStatus.EAGAIN);
        }

        @Test
        void reportWhatTheHcaSaysOfAModify() {
            Objects own = Objects.create(bench, session, DataPathKind.FORWARDED);

            ControlReply.Refused refused =
                    bench.refused(
                            session, new ControlRequest.ModifyQp(own.qp(), QpAttributes.none()));
            bench.done(
                    session,
                    new ControlRequest.ModifyQp(own.qp(), QpAttributes.to(QpState.INIT)),
                    ControlReply.Done.class);

            assertThat(refused.status()).isEqualTo(VerbsStatus.EINVAL);
            assertThat(
                            bench.done(
                                            session,
                                            new ControlRequest.QueryQp(own.qp()),
                                            ControlReply.QpQueried.class)
                                    .attributes()
                                    .state())
                    .isEqualTo(QpState.INIT);
        }

        private ControlRequest qp(Objects own, int type, QpLimits limits) {
            return new ControlRequest.CreateQp(own.pd(), type, own.cq(), own.cq(), 0, limits);
        }
    }

    private long context(Session of, DataPathKind path) {
        return bench.done(
                        of, new ControlRequest.OpenContext(path), ControlReply.ContextOpened.class)
                .context();
    }

    private long pd(Session of, long context) {
        return bench.done(
                        of, new ControlRequest.AllocatePd(context), ControlReply.PdAllocated.class)
                .pd();
    }

    private void destroy(ObjectKind kind, long handle) {
        bench.done(session, new ControlRequest.Destroy(kind, handle), ControlReply.Done.class);
    }

    private VerbsStatus refusal(ObjectKind kind, long handle) {
        return bench.refused(session, new ControlRequest.Destroy(kind, handle)).status();
    }

    private static long handle(Objects objects, ObjectKind kind) {
        return switch (kind) {
            case CONTEXT -> objects.context();
            case PD -> objects.pd();
            case REGION -> objects.region();
            case RING -> objects.cqRing();
            case CQ -> objects.cq();
            case QP -> objects.qp();
            case AH -> objects.ah();
            case SRQ -> objects.srq();
            case WINDOW -> objects.window();
        };
    }
}
