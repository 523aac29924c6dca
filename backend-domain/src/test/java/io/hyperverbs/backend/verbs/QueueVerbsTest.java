package io.hyperverbs.backend.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.testing.FakeMachine;
import io.hyperverbs.backend.testing.SessionFixture;
import io.hyperverbs.backend.testing.SessionObjects;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Queue pairs and completion queues: sizes, quotas, what the HCA says. */
class QueueVerbsTest extends SessionFixture {
    @Test
    void refuseBadSizes() {
        SessionObjects own = SessionObjects.create(bench, session, DataPathKind.FORWARDED);
        FakeMachine.Counters before = bench.machine.counters();

        List<ControlRequest> bad = List.of(
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
                .allSatisfy(request ->
                        assertThat(bench.refused(session, request).status()).isEqualTo(VerbsStatus.EINVAL));
        assertThat(bench.machine.counters()).isEqualTo(before);
    }

    @Test
    void roundEntriesUpToAPowerOfTwo() {
        long context = bench.context(session, DataPathKind.FORWARDED);

        ControlReply.CqCreated created =
                bench.done(session, new ControlRequest.CreateCq(context, 33, 0, false), ControlReply.CqCreated.class);

        assertThat(created.entries()).isEqualTo(64);
    }

    @Test
    void reportWhatTheHcaSaysOfAModify() {
        SessionObjects own = SessionObjects.create(bench, session, DataPathKind.FORWARDED);

        ControlReply.Refused refused =
                bench.refused(session, new ControlRequest.ModifyQp(own.qp(), QpAttributes.none()));
        bench.ok(session, new ControlRequest.ModifyQp(own.qp(), QpAttributes.to(QpState.INIT)));

        assertThat(refused.status()).isEqualTo(VerbsStatus.EINVAL);
        assertThat(bench.done(session, new ControlRequest.QueryQp(own.qp()), ControlReply.QpQueried.class)
                        .attributes()
                        .state())
                .isEqualTo(QpState.INIT);
    }

    private ControlRequest qp(SessionObjects own, int type, QpLimits limits) {
        return new ControlRequest.CreateQp(own.pd(), type, own.cq(), own.cq(), 0, limits);
    }
}
