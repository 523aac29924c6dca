package io.hyperverbs.backend.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.CmOffer;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ManagementRequest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a call may hold: each value at its edges. */
class ConnectionLimitsTest extends ListeningEnd {
    private static final long MILLI = 1_000_000;
    private static final long MINUTE = 60_000 * MILLI;

    @ParameterizedTest
    @CsvSource({
        "-1, 0, 0, 0, 0, 0, first PSN -1",
        "0x1000000, 0, 0, 0, 0, 0, first PSN 16777216",
        "0, -1, 0, 0, 0, 0, responder resources -1",
        "0, 17, 0, 0, 0, 0, responder resources 17",
        "0, 0, -1, 0, 0, 0, initiator depth -1",
        "0, 0, 17, 0, 0, 0, initiator depth 17",
        "0, 0, 0, -1, 0, 0, retry count -1",
        "0, 0, 0, 8, 0, 0, retry count 8",
        "0, 0, 0, 0, -1, 0, RNR retry count -1",
        "0, 0, 0, 0, 8, 0, RNR retry count 8",
        "0, 0, 0, 0, 0, -1, ack timeout -1",
        "0, 0, 0, 0, 0, 32, ack timeout 32"
    })
    void valueThatItsFieldDoesNotHoldIsRefused(
            int psn,
            int responderResources,
            int initiatorDepth,
            int retryCount,
            int rnrRetryCount,
            int ackTimeout,
            String words) {
        CmOffer offer = new CmOffer(
                QpType.RC,
                caller.qpn(),
                psn,
                responderResources,
                initiatorDepth,
                retryCount,
                rnrRetryCount,
                ackTimeout);

        expectRefused(connect(caller.resolve(callee), offer, MILLI), words);
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 0, 0, 0, 0", "0xffffff, 16, 16, 7, 7, 31"})
    void valuesAtTheirEdgesReachTheCallee(
            int psn, int responderResources, int initiatorDepth, int retryCount, int rnrRetryCount, int ackTimeout) {
        CmOffer offer = new CmOffer(
                QpType.RC,
                caller.qpn(),
                psn,
                responderResources,
                initiatorDepth,
                retryCount,
                rnrRetryCount,
                ackTimeout);

        caller.done(connect(caller.resolve(callee), offer, MILLI));

        assertThat(callee.take()).singleElement().matches(call -> call.offer().equals(offer));
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, 0, MILLI - 1, MINUTE + 1, Long.MAX_VALUE})
    void responseTimeIsAMilliToAMinute(long nanos) {
        long out = caller.resolve(callee);
        CmOffer offer = caller.offer(QpType.RC);

        expectRefused(connect(out, offer, nanos), "response timeout " + nanos + " ns");

        caller.done(connect(out, offer, nanos < MILLI ? MILLI : MINUTE));
        assertThat(callee.take()).hasSize(1);
    }

    /** From twice 4.096 us x 2^n, held to 1 ms and 1 s; code 0 is no time that could be doubled. */
    @ParameterizedTest
    @CsvSource({
        "0, 1_000_000_000",
        "1, 1_000_000",
        "6, 1_000_000",
        "7, 1_048_576",
        "16, 536_870_912",
        "17, 1_000_000_000",
        "31, 1_000_000_000"
    })
    void timeWaitFollowsTheAckTimeout(int code, String nanos) {
        assertThat(ConnectionLimits.timewaitNanos(code)).isEqualTo(Long.parseLong(nanos.replace("_", "")));
    }

    private static ManagementRequest connect(long out, CmOffer offer, long responseNanos) {
        return new ManagementRequest.Connect(out, CmEnd.SERVICE, offer, responseNanos, PrivateData.none());
    }

    private void expectRefused(ManagementRequest request, String words) {
        ControlReply.Refused refused = caller.refused(request);

        assertThat(refused.status()).isEqualTo(VerbsStatus.EINVAL);
        assertThat(refused.message()).startsWith(words);
        assertThat(callee.take()).isEmpty();
    }
}
