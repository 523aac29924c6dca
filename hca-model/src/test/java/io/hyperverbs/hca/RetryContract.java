package io.hyperverbs.hca;

import static io.hyperverbs.hca.QpPair.TICK_NANOS;
import static io.hyperverbs.hca.QpPair.TIMEOUT_NANOS;
import static io.hyperverbs.hca.TestQp.SIGNALLED;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.VendorError;
import io.hyperverbs.verbs.WorkCompletion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Timers of a reliable connection that are the same on every fabric: RNR delays, ack timeouts, retries. */
abstract class RetryContract<P extends QpPair> {
    /** With the delay of {@link QpAttributes#toRtr}, and a limited number of retries. */
    static final long[] RNR_WAITS_NANOS = {640_000, 3_200_000, 16_000_000, 80_000_000, 400_000_000, 655_360_000};

    final P pair;
    final TestQp a;
    final TestQp b;

    RetryContract(P pair) {
        this.pair = pair;
        this.a = pair.a();
        this.b = pair.b();
    }

    final void send() {
        a.send(7, SIGNALLED, pair.from(), 0, 8);
        pair.run();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 655360000",
        "1, 10000",
        "2, 20000",
        "3, 30000",
        "4, 40000",
        "5, 60000",
        "6, 80000",
        "7, 120000",
        "8, 160000",
        "9, 240000",
        "10, 320000",
        "11, 480000",
        "12, 640000",
        "13, 960000",
        "14, 1280000",
        "15, 1920000",
        "16, 2560000",
        "17, 3840000",
        "18, 5120000",
        "19, 7680000",
        "20, 10240000",
        "21, 15360000",
        "22, 20480000",
        "23, 30720000",
        "24, 40960000",
        "25, 61440000",
        "26, 81920000",
        "27, 122880000",
        "28, 163840000",
        "29, 245760000",
        "30, 327680000",
        "31, 491520000"
    })
    void waitsTheRespondersDelayAndNotLess(int code, long delayNanos) {
        TestQp.connect(a, b);
        b.modify(QpAttributes.none().with(QpAttribute.MIN_RNR_TIMER, code));
        send();
        b.receive(70, pair.to(), 0, 8);

        pair.pass(delayNanos - 1);
        assertThat(a.cq.poll()).as("one nanosecond early").isNull();
        pair.pass(1 + 2 * TICK_NANOS);

        assertThat(a.cq.drain()).containsExactly("SEND 7 SUCCESS");
        assertThat(b.cq.drain()).containsExactly("RECV 70 SUCCESS");
        assertThat(a.fixture.counter(Counter.RNR_NAK_RETRY_ERR)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 6})
    void givesUpAfterTheRnrRetries(int retries) {
        TestQp.connect(a, b);
        a.tune(QpAttribute.RNR_RETRY, retries);
        send();

        for (int i = 0; i < retries; i++) {
            assertThat(a.cq.poll()).as("after " + i + " retries").isNull();
            pair.pass(RNR_WAITS_NANOS[i] - TICK_NANOS);
            assertThat(a.cq.poll()).as("in wait " + i).isNull();
            pair.pass(3 * TICK_NANOS);
        }

        WorkCompletion failed = a.cq.poll();
        assertThat(failed.explain()).startsWith("RNR_RETRY_EXC_ERR");
        assertThat(failed.vendorError()).isEqualTo(VendorError.NO_RECEIVE);
        assertThat(a.state()).isEqualTo(QpState.ERR);
        assertThat(b.state()).isEqualTo(QpState.RTS);
        assertThat(b.fixture.counter(Counter.OUT_OF_BUFFER)).isEqualTo(retries + 1);
    }

    @Test
    void sevenRnrRetriesAreForEver() {
        TestQp.connect(a, b);
        a.tune(QpAttribute.RNR_RETRY, 7);
        send();

        for (int i = 0; i < 100; i++) {
            pair.pass(640_000 + 2 * TICK_NANOS);
        }

        assertThat(a.cq.poll()).isNull();
        assertThat(a.fixture.counter(Counter.RNR_NAK_RETRY_ERR)).isEqualTo(101);
        b.receive(70, pair.to(), 0, 8);
        pair.pass(640_000 + 2 * TICK_NANOS);
        assertThat(a.cq.drain()).containsExactly("SEND 7 SUCCESS");
    }

    /** Sends to a peer that says nothing: fails after the timeouts, and not before. */
    final void expectSilence() {
        send();
        for (int i = 0; i < 3; i++) {
            pair.pass(pair.ackWaitNanos(i) - TICK_NANOS);
            assertThat(a.cq.poll()).as("in timeout " + i).isNull();
            pair.pass(3 * TICK_NANOS);
        }
        WorkCompletion failed = a.cq.poll();
        assertThat(failed.explain()).startsWith("RETRY_EXC_ERR");
        assertThat(failed.vendorError()).isEqualTo(VendorError.PEER_SILENT);
        assertThat(a.state()).isEqualTo(QpState.ERR);
        assertThat(a.fixture.counter(Counter.LOCAL_ACK_TIMEOUT_ERR)).isEqualTo(3);
        assertThat(a.cq.drain()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = QpState.class,
            names = {"RESET", "INIT", "ERR"})
    void peerThatCannotReceiveIsSilent(QpState state) {
        TestQp.connect(a, b);
        b.modify(QpAttributes.to(state == QpState.INIT ? QpState.RESET : state));
        if (state == QpState.INIT) {
            b.init(HcaFixture.ALL_REMOTE);
        }
        pair.run();

        expectSilence();

        assertThat(b.state()).isEqualTo(state);
    }

    @Test
    void wrongPsnIsNotHeard() {
        a.psn = 100;
        a.init(HcaFixture.ALL_REMOTE);
        b.init(HcaFixture.ALL_REMOTE);
        a.rtr(b);
        b.rtr(a);
        a.psn = 101;
        a.rts();
        b.receive(70, pair.to(), 0, 8);

        expectSilence();

        assertThat(b.fixture.counter(Counter.OUT_OF_SEQUENCE)).isEqualTo(3);
        assertThat(b.cq.poll()).isNull();
    }

    @Test
    void peerThatComesInTimeIsHeard() {
        a.init(HcaFixture.ALL_REMOTE);
        a.rtr(b);
        a.rts();
        send();
        pair.pass(TIMEOUT_NANOS + 2 * TICK_NANOS);
        b.init(HcaFixture.ALL_REMOTE);
        b.receive(70, pair.to(), 0, 8);
        b.rtr(a);

        pair.pass(pair.ackWaitNanos(1) + 2 * TICK_NANOS);

        assertThat(a.cq.drain()).containsExactly("SEND 7 SUCCESS");
        assertThat(b.fixture.events()).containsExactly("COMM_EST " + b.qpn);
    }
}
