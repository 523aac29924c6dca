package io.hyperverbs.backend.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.testing.ExecutorBench;
import io.hyperverbs.backend.testing.FakeMachine;
import io.hyperverbs.backend.testing.SessionObjects;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ObjectKind;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A create that fails at any of its hypercalls and HCA commands leaves everything as it was. */
class HalfWayFailureTest {
    /** Each failure so often; {@code -Dfailures=1000} for the long run. */
    private static final int REPEATS = Integer.getInteger("failures", 20);

    private static final int MORE_STEPS_THAN_ANY_VERB_HAS = 20;

    private static final List<Error> ERRORS = List.of(
            new OutOfMemoryError("injected"), new StackOverflowError("injected"), new InternalError("injected"));

    @TempDir
    Path state;

    @ParameterizedTest
    @EnumSource(DataPathKind.class)
    void leavesCountersAtBaseline(DataPathKind path) {
        try (ExecutorBench bench = new ExecutorBench(state)) {
            Session session = bench.session(1, Map.of());
            for (ControlRequest create : creates(bench, session, path)) {
                assertThat(failAtEachStep(bench, session, create))
                        .as("steps of %s", create)
                        .isPositive();
            }
        }
    }

    /** What no code expects is the caller's trouble alone, wherever in its verb it comes up. */
    @ParameterizedTest
    @EnumSource(DataPathKind.class)
    void ofTheProcessItselfLeavesCountersAtBaselineAndOthersAlone(DataPathKind path) {
        try (ExecutorBench bench = new ExecutorBench(state)) {
            Session session = bench.session(1, Map.of());
            Session other = bench.session(2, Map.of());
            long context = SessionObjects.create(bench, other, path).context();
            for (ControlRequest create : creates(bench, session, path)) {
                int steps = throwAtEachStep(bench, session, create);
                assertThat(steps).as("steps of %s", create).isPositive();
                long pd = bench.pd(other, context);
                bench.destroy(other, ObjectKind.PD, pd);
            }
        }
    }

    private static int throwAtEachStep(ExecutorBench bench, Session session, ControlRequest create) {
        FakeMachine.Counters machine = bench.machine.counters();
        Set<String> hca = bench.hca.live();
        Map<QuotaKind, Long> used = ExecutorBench.used(session);
        for (int step = 1; step < MORE_STEPS_THAN_ANY_VERB_HAS; step++) {
            Error error = ERRORS.get(step % ERRORS.size());
            bench.passSeconds(1);
            bench.faults.throwAtCall(step, error);
            Throwable thrown = catchThrowable(() -> bench.call(session, create));
            boolean reached = bench.faults.tripped();
            bench.faults.none();
            if (!reached) {
                assertThat(thrown).isNull();
                return step - 1;
            }
            if (thrown == null) {
                // It has happened; what failed was giving the old memory back, which is kept.
                assertThat(session.leftovers().retry()).isZero();
                assertThat(create).isInstanceOfAny(ControlRequest.ResizeSrq.class, ControlRequest.ResizeCq.class);
                return step - 1;
            }

            assertThat(thrown).isSameAs(error);
            assertThat(bench.machine.counters())
                    .as("step %d of %s", step, create)
                    .isEqualTo(machine);
            assertThat(bench.hca.live()).isEqualTo(hca);
            assertThat(ExecutorBench.used(session)).isEqualTo(used);
        }
        throw new AssertionError(create + " never succeeds");
    }

    /** One request of each verb that makes or changes something, each of which succeeds. */
    private static List<ControlRequest> creates(ExecutorBench bench, Session session, DataPathKind path) {
        SessionObjects own = SessionObjects.create(bench, session, path);
        boolean bypass = path == DataPathKind.BYPASS;
        long cqRing = bypass ? ring(bench, session, own, 64, SessionObjects.cqBytes()) : 0;
        long qpRing = bypass ? ring(bench, session, own, 72, SessionObjects.qpBytes()) : 0;
        long srqRing = bypass ? ring(bench, session, own, 80, SessionObjects.SRQ_BYTES) : 0;
        long largerCqRing = bypass ? ring(bench, session, own, 88, 2 * SessionObjects.cqBytes()) : 0;
        long largerRing = bypass ? ring(bench, session, own, 84, SessionObjects.SRQ_BYTES) : 0;

        return List.of(
                new ControlRequest.OpenContext(path),
                new ControlRequest.AllocatePd(own.context()),
                SessionObjects.register(own.pd(), bench.frames(session, 40, 2)),
                new ControlRequest.AllocateWindow(own.pd(), 1),
                new ControlRequest.RegisterRing(own.context(), 4096, List.of(bench.frames(session, 50, 1))),
                new ControlRequest.CreateCq(own.context(), SessionObjects.CQ_ENTRIES, cqRing, true),
                SessionObjects.createQp(own.pd(), own.cq(), qpRing),
                new ControlRequest.CreateAh(own.pd(), AddressAttributes.of(1)),
                new ControlRequest.AttachMulticast(own.qp(), new Gid(0xff12_0000_0000_0000L, 1), 0xc001),
                new ControlRequest.CreateSrq(own.pd(), SessionObjects.SRQ_LIMITS, srqRing),
                new ControlRequest.ResizeSrq(own.srq(), SessionObjects.SRQ_LIMITS.receiveWr(), largerRing),
                new ControlRequest.ArmSrq(own.srq(), 1),
                new ControlRequest.ResizeCq(own.cq(), 2 * SessionObjects.CQ_ENTRIES, largerCqRing, 0));
    }

    private static int failAtEachStep(ExecutorBench bench, Session session, ControlRequest create) {
        FakeMachine.Counters machine = bench.machine.counters();
        Set<String> hca = bench.hca.live();
        Map<QuotaKind, Long> used = ExecutorBench.used(session);
        for (int step = 1; step < MORE_STEPS_THAN_ANY_VERB_HAS; step++) {
            ControlReply reply = failing(bench, session, create, step);
            if (!bench.faults.tripped()) {
                bench.faults.none();
                return step - 1;
            }
            bench.faults.none();

            if (reply instanceof ControlReply.Done
                    && (create instanceof ControlRequest.ResizeSrq || create instanceof ControlRequest.ResizeCq)) {
                // It has happened; what failed was giving the old memory back, which is kept.
                assertThat(session.leftovers().retry()).isZero();
                return step - 1;
            }
            assertThat(reply).isInstanceOf(ControlReply.Refused.class);
            for (int again = 1; again < REPEATS; again++) {
                assertThat(failing(bench, session, create, step)).isEqualTo(reply);
                bench.faults.none();
            }
            assertThat(bench.machine.counters())
                    .as("step %d of %s", step, create)
                    .isEqualTo(machine);
            assertThat(bench.hca.live()).isEqualTo(hca);
            assertThat(ExecutorBench.used(session)).isEqualTo(used);
        }
        throw new AssertionError(create + " never succeeds");
    }

    private static ControlReply failing(ExecutorBench bench, Session session, ControlRequest create, int step) {
        // Within the rate, however often it is tried.
        bench.passSeconds(1);
        bench.faults.failCall(step);
        return bench.call(session, create);
    }

    private static long ring(ExecutorBench bench, Session session, SessionObjects own, int first, long bytes) {
        return bench.ring(
                session, own.context(), bytes, List.of(SessionObjects.ringFrames(bench, session, first, bytes)));
    }
}
