package io.hyperverbs.backend.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.testing.Bench;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.vmm.io.CmNotice;
import io.hyperverbs.vmm.io.ManagementRequest.Answer.Kind;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.nio.file.Path;
import java.util.List;

/** A guest dies at any step of a connection: its peer is told, and nothing is left. */
class PeerDeathTest {
    @TempDir Path state;
    private Bench bench;
    private CmEnd caller;
    private CmEnd callee;

    /** How far the connection is; each step takes the events of the one before. */
    private enum Step {
        RESOLVED(null, null),
        CALLED(CmEvent.Type.UNREACHABLE, null),
        REQUEST_READ(CmEvent.Type.UNREACHABLE, CmEvent.Type.UNREACHABLE),
        ACCEPTED(CmEvent.Type.UNREACHABLE, CmEvent.Type.UNREACHABLE),
        CONNECTED(CmEvent.Type.DISCONNECTED, CmEvent.Type.DISCONNECTED),
        // The callee has been told already.
        DISCONNECTING(CmEvent.Type.DISCONNECTED, null),
        DISCONNECTED(null, null);

        /** What the caller is told when the callee dies, and the other way round. */
        private final CmEvent.@Nullable Type atCaller;

        private final CmEvent.@Nullable Type atCallee;

        Step(CmEvent.@Nullable Type atCaller, CmEvent.@Nullable Type atCallee) {
            this.atCaller = atCaller;
            this.atCallee = atCallee;
        }
    }

    @BeforeEach
    void setUp() {
        bench = new Bench(state);
        caller = CmEnd.open(bench, 1);
        callee = CmEnd.open(bench, 2);
        var _ = callee.listen();
    }

    @AfterEach
    void tearDown() {
        bench.close();
    }

    @ParameterizedTest
    @EnumSource(Step.class)
    void callerHearsOfTheCalleesDeath(Step step) {
        advance(step);

        callee.die();

        expectTold(caller, step.atCaller);
        expectNothingLeft(callee);
    }

    @ParameterizedTest
    @EnumSource(Step.class)
    void calleeHearsOfTheCallersDeath(Step step) {
        advance(step);

        caller.die();

        expectTold(callee, step.atCallee);
        expectNothingLeft(caller);
    }

    @Test
    void whoIsDeadIsNotFound() {
        long connection = caller.resolve(callee);

        callee.die();
        caller.done(caller.connect(connection));

        CmNotice told = caller.next(CmEvent.Type.UNREACHABLE);
        assertThat(told.status()).isEqualTo(VerbsStatus.ECONNRESET);
    }

    @Test
    void guestOfTheSameNumberIsAnother() {
        long connection = caller.resolve(callee);
        callee.die();
        CmEnd reborn = CmEnd.open(bench, 2);
        var _ = reborn.listen();

        caller.done(caller.connect(connection));

        assertThat(caller.next(CmEvent.Type.UNREACHABLE).status())
                .isEqualTo(VerbsStatus.ECONNRESET);
        assertThat(reborn.take()).isEmpty();
    }

    private void advance(Step step) {
        long out = caller.resolve(callee);
        if (step.compareTo(Step.CALLED) >= 0) {
            caller.done(caller.connect(out));
        }
        long in = step.compareTo(Step.REQUEST_READ) >= 0 ? callee.called() : 0;
        if (step.compareTo(Step.ACCEPTED) >= 0) {
            callee.done(callee.accept(in));
            var _ = caller.next(CmEvent.Type.CONNECT_RESPONSE);
        }
        if (step.compareTo(Step.CONNECTED) >= 0) {
            caller.done(CmEnd.answer(out, Kind.RTU));
            var _ = callee.next(CmEvent.Type.ESTABLISHED);
        }
        if (step.compareTo(Step.DISCONNECTING) >= 0) {
            caller.done(CmEnd.answer(out, Kind.DISCONNECT));
            var _ = callee.next(CmEvent.Type.DISCONNECTED);
        }
        if (step.compareTo(Step.DISCONNECTED) >= 0) {
            callee.done(CmEnd.answer(in, Kind.DISCONNECT));
            var _ = caller.next(CmEvent.Type.DISCONNECTED);
        }
    }

    private static void expectTold(CmEnd survivor, CmEvent.@Nullable Type type) {
        List<CmNotice> told = survivor.take();
        if (type == null) {
            assertThat(told).isEmpty();
            return;
        }
        assertThat(told).singleElement().extracting(CmNotice::type).isEqualTo(type);
        assertThat(told.getFirst().status()).isEqualTo(VerbsStatus.ECONNRESET);
    }

    private void expectNothingLeft(CmEnd dead) {
        assertThat(bench.management.size(dead.session())).isZero();
        assertThat(dead.session().contexts().objects()).isEmpty();
    }
}
