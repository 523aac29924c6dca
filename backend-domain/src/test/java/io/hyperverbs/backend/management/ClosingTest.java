package io.hyperverbs.backend.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.cm.RejectReason;
import io.hyperverbs.vmm.io.CmNotice;
import io.hyperverbs.vmm.io.ManagementRequest;
import io.hyperverbs.vmm.io.ManagementRequest.Answer.Kind;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A program lets its end go at any step of a connection: the other end hears what that means. */
class ClosingTest extends ListeningEnd {
    private static final long LONGER_THAN_ANYTHING_MILLIS = 10_000;

    @ParameterizedTest
    @CsvSource({
        "RESOLVED,,,",
        // Nobody has read of the call, and nobody will.
        "CALLED,,,",
        "REQUEST_READ, REJECTED, ECONNREFUSED, TIMEOUT",
        "ACCEPTED, REJECTED, ECONNREFUSED, CONSUMER_DEFINED",
        "CONNECTED, DISCONNECTED, SUCCESS, NONE",
        "DISCONNECTING,,,",
        "DISCONNECTED,,,"
    })
    void calleeHearsThatTheCallerCloses(
            CmStep step, CmEvent.@Nullable Type type, @Nullable VerbsStatus status, @Nullable RejectReason reason) {
        long out = step.reach(caller, callee).out();

        caller.done(new ManagementRequest.Release(out));

        expectTold(callee, type, status, reason);
        expectNothingOf(caller, out);
    }

    @ParameterizedTest
    @CsvSource({
        "REQUEST_READ, REJECTED, ECONNREFUSED, CONSUMER_DEFINED",
        "ACCEPTED, REJECTED, ECONNREFUSED, CONSUMER_DEFINED",
        "CONNECTED, DISCONNECTED, SUCCESS, NONE",
        // Instead of the DREP that the caller waits for.
        "DISCONNECTING, DISCONNECTED, SUCCESS, NONE",
        "DISCONNECTED,,,"
    })
    void callerHearsThatTheCalleeCloses(
            CmStep step, CmEvent.@Nullable Type type, @Nullable VerbsStatus status, @Nullable RejectReason reason) {
        long in = step.reach(caller, callee).in();

        callee.done(new ManagementRequest.Release(in));

        expectTold(caller, type, status, reason);
        expectNothingOf(callee, in);
    }

    /** It was told by the DREQ, and answers into the void. */
    @Test
    void calleeStillEndsWhatACallerClosedThatWaitedForIt() {
        CmStep.Ends ends = CmStep.DISCONNECTING.reach(caller, callee);
        caller.done(new ManagementRequest.Release(ends.out()));

        callee.done(CmEnd.answer(ends.in(), Kind.DISCONNECT));
        bench.passMillis(LONGER_THAN_ANYTHING_MILLIS);

        assertThat(callee.next(CmEvent.Type.TIMEWAIT_EXIT).connection()).isEqualTo(ends.in());
        assertThat(caller.take()).isEmpty();
    }

    private static void expectTold(
            CmEnd other, CmEvent.@Nullable Type type, @Nullable VerbsStatus status, @Nullable RejectReason reason) {
        List<CmNotice> told = other.take();
        if (type == null) {
            assertThat(told).isEmpty();
            return;
        }
        assertThat(told)
                .singleElement()
                .extracting(CmNotice::type, CmNotice::status, CmNotice::reject)
                .containsExactly(type, status, reason);
    }

    /** Its handle is no more, and no time that it had to keep. */
    private void expectNothingOf(CmEnd closer, long connection) {
        bench.passMillis(LONGER_THAN_ANYTHING_MILLIS);
        assertThat(closer.take()).isEmpty();
        assertThat(closer.refusal(new ManagementRequest.Release(connection))).isEqualTo(VerbsStatus.ENOENT);
    }
}
