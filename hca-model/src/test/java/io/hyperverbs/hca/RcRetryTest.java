package io.hyperverbs.hca;

import static io.hyperverbs.hca.TestQp.SIGNALLED;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VendorError;
import io.hyperverbs.verbs.WorkCompletion;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Timers: RNR delays, ack timeouts, retries, with a clock the test sets. */
class RcRetryTest extends PairFixture {
    /** Timeout code 10: 4.096 us x 2^10. */
    private static final long TIMEOUT_NANOS = 4096L << 10;

    /** The wheel fires within a tick of 8.192 us after the deadline. */
    private static final long TICK_NANOS = 1 << 13;

    /** With the delay of {@link QpAttributes#toRtr}, and a limited number of retries. */
    private static final long[] RNR_WAITS_NANOS = {640_000, 3_200_000, 16_000_000, 80_000_000, 400_000_000, 655_360_000
    };

    RcRetryTest() {
        super(QpType.RC, 4096);
    }

    private void send() {
        a.send(7, SIGNALLED, bufferA, 0, 8);
        fixture.run();
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
        b.receive(70, bufferB, 0, 8);

        fixture.pass(delayNanos - 1);
        assertThat(a.cq.poll()).as("one nanosecond early").isNull();
        fixture.pass(1 + 2 * TICK_NANOS);

        assertThat(a.cq.drain()).containsExactly("SEND 7 SUCCESS");
        assertThat(b.cq.drain()).containsExactly("RECV 70 SUCCESS");
        assertThat(fixture.counter(Counter.RNR_NAK_RETRY_ERR)).isEqualTo(1);
    }

    @Test
    void doorbellsDoNotShortenTheRnrDelay() {
        TestQp.connect(a, b);
        send();
        b.receive(70, bufferB, 0, 8);

        a.guest.doorbell.ring(a.slot);
        fixture.run();

        assertThat(a.cq.poll()).isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 6})
    void givesUpAfterTheRnrRetries(int retries) {
        TestQp.connect(a, b);
        a.modify(QpAttributes.to(QpState.SQD));
        a.modify(QpAttributes.none().with(QpAttribute.RNR_RETRY, retries));
        a.modify(QpAttributes.to(QpState.RTS));
        send();

        for (int i = 0; i < retries; i++) {
            assertThat(a.cq.poll()).as("after " + i + " retries").isNull();
            fixture.pass(RNR_WAITS_NANOS[i] - TICK_NANOS);
            assertThat(a.cq.poll()).as("in wait " + i).isNull();
            fixture.pass(3 * TICK_NANOS);
        }

        WorkCompletion failed = a.cq.poll();
        assertThat(failed.explain()).startsWith("RNR_RETRY_EXC_ERR");
        assertThat(failed.vendorError()).isEqualTo(VendorError.NO_RECEIVE);
        assertThat(a.state()).isEqualTo(QpState.ERR);
        assertThat(b.state()).isEqualTo(QpState.RTS);
        assertThat(fixture.counter(Counter.OUT_OF_BUFFER)).isEqualTo(retries + 1);
    }

    @Test
    void sevenRnrRetriesAreForEver() {
        TestQp.connect(a, b);
        a.modify(QpAttributes.to(QpState.SQD));
        a.modify(QpAttributes.none().with(QpAttribute.RNR_RETRY, 7));
        a.modify(QpAttributes.to(QpState.RTS));
        send();

        for (int i = 0; i < 100; i++) {
            fixture.pass(640_000 + 2 * TICK_NANOS);
        }

        assertThat(a.cq.poll()).isNull();
        assertThat(fixture.counter(Counter.RNR_NAK_RETRY_ERR)).isEqualTo(101);
        b.receive(70, bufferB, 0, 8);
        fixture.pass(640_000 + 2 * TICK_NANOS);
        assertThat(a.cq.drain()).containsExactly("SEND 7 SUCCESS");
    }

    @Test
    void aSendWithoutAReceiveFailsByDefaultAfterASecond() {
        TestQp.connect(a, b);
        a.modify(QpAttributes.to(QpState.SQD));
        a.modify(QpAttributes.none()
                .with(QpAttribute.RNR_RETRY, QpAttributes.toRts(0).get(QpAttribute.RNR_RETRY)));
        a.modify(QpAttributes.to(QpState.RTS));
        send();

        long total = LongStream.of(RNR_WAITS_NANOS).sum();
        assertThat(total).isEqualTo(1_155_200_000);
        step(total - TICK_NANOS);
        assertThat(a.cq.poll()).isNull();
        // Each of the six timers fires within a tick of its deadline.
        step(16 * TICK_NANOS);
        assertThat(a.cq.poll().explain()).startsWith("RNR_RETRY_EXC_ERR");
    }

    @ParameterizedTest
    @ValueSource(longs = {100_000, 2_000_000, 30_000_000, 200_000_000})
    void aLateReceiveIsMetWithinFiveTimesItsDelay(long lateNanos) {
        TestQp.connect(a, b);
        a.modify(QpAttributes.to(QpState.SQD));
        a.modify(QpAttributes.none().with(QpAttribute.RNR_RETRY, 6));
        a.modify(QpAttributes.to(QpState.RTS));
        send();
        step(lateNanos);
        assertThat(a.cq.poll()).isNull();

        b.receive(70, bufferB, 0, 8);
        step(4 * lateNanos + 640_000 + 12 * TICK_NANOS);

        assertThat(a.cq.drain()).containsExactly("SEND 7 SUCCESS");
    }

    // Timers run out one after the other: in one stride each would start late.
    private void step(long nanos) {
        for (long passed = 0; passed < nanos; passed += TICK_NANOS) {
            fixture.pass(Math.min(TICK_NANOS, nanos - passed));
        }
    }

    @Test
    void progressGivesAllRnrRetriesBack() {
        TestQp.connect(a, b);
        for (int message = 0; message < 5; message++) {
            send();
            fixture.pass(640_000 + 2 * TICK_NANOS);
            b.receive(70, bufferB, 0, 8);
            fixture.pass(3_200_000 + 2 * TICK_NANOS);
            assertThat(a.cq.drain()).containsExactly("SEND 7 SUCCESS");
        }
    }

    private void expectSilence() {
        send();
        for (int i = 0; i < 3; i++) {
            fixture.pass(TIMEOUT_NANOS - TICK_NANOS);
            assertThat(a.cq.poll()).as("in timeout " + i).isNull();
            fixture.pass(3 * TICK_NANOS);
        }
        WorkCompletion failed = a.cq.poll();
        assertThat(failed.explain()).startsWith("RETRY_EXC_ERR");
        assertThat(failed.vendorError()).isEqualTo(VendorError.PEER_SILENT);
        assertThat(a.state()).isEqualTo(QpState.ERR);
        assertThat(fixture.counter(Counter.LOCAL_ACK_TIMEOUT_ERR)).isEqualTo(3);
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
        fixture.run();

        expectSilence();

        assertThat(b.state()).isEqualTo(state);
    }

    @Test
    void strangerIsNotHeard() {
        TestQp c = new TestQp(fixture, fixture.guest(3));
        TestQp.connect(b, c);
        a.init(HcaFixture.ALL_REMOTE);
        a.rtr(b);
        a.rts();
        b.receive(70, bufferB, 0, 8);

        expectSilence();

        assertThat(b.cq.poll()).isNull();
        assertThat(b.state()).isEqualTo(QpState.RTS);
        assertThat(fixture.counter(Counter.UNCONNECTED_REQUESTS)).isEqualTo(3);
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
        b.receive(70, bufferB, 0, 8);

        expectSilence();

        assertThat(fixture.counter(Counter.OUT_OF_SEQUENCE)).isEqualTo(3);
        assertThat(b.cq.poll()).isNull();
    }

    @Test
    void peerThatComesInTimeIsHeard() {
        a.init(HcaFixture.ALL_REMOTE);
        a.rtr(b);
        a.rts();
        send();
        fixture.pass(TIMEOUT_NANOS + 2 * TICK_NANOS);
        b.init(HcaFixture.ALL_REMOTE);
        b.receive(70, bufferB, 0, 8);
        b.rtr(a);

        fixture.pass(TIMEOUT_NANOS + 2 * TICK_NANOS);

        assertThat(a.cq.drain()).containsExactly("SEND 7 SUCCESS");
        assertThat(fixture.events()).containsExactly("COMM_EST " + b.qpn);
    }

    @Test
    void timeoutZeroWaitsForEver() {
        TestQp.connect(a, b);
        a.modify(QpAttributes.to(QpState.SQD));
        a.modify(QpAttributes.none().with(QpAttribute.TIMEOUT, 0));
        a.modify(QpAttributes.to(QpState.RTS));
        b.modify(QpAttributes.to(QpState.RESET));
        send();

        fixture.pass(1_000_000_000_000L);

        assertThat(a.cq.poll()).isNull();
        a.modify(QpAttributes.to(QpState.ERR));
        fixture.run();
        assertThat(a.cq.drain()).containsExactly("SEND 7 WR_FLUSH_ERR");
    }

    @Test
    void sevenRetriesAreForEver() {
        TestQp.connect(a, b);
        a.modify(QpAttributes.to(QpState.SQD));
        a.modify(QpAttributes.none().with(QpAttribute.RETRY_CNT, 7));
        a.modify(QpAttributes.to(QpState.RTS));
        b.modify(QpAttributes.to(QpState.RESET));
        send();

        for (int i = 0; i < 50; i++) {
            fixture.pass(TIMEOUT_NANOS + 2 * TICK_NANOS);
        }

        assertThat(a.cq.poll()).isNull();
        assertThat(a.state()).isEqualTo(QpState.RTS);
    }

    @Test
    void requestsBehindASilentOneFlush() {
        TestQp.connect(a, b);
        fixture.hca.destroyQp(b.qpn);
        a.send(7, 0, bufferA, 0, 8);
        a.rdma(8, SendWqeLayout.OPCODE_RDMA_WRITE, 0, bufferA, 8, 0, 0);
        fixture.run();

        for (int i = 0; i < 3; i++) {
            fixture.pass(TIMEOUT_NANOS + 2 * TICK_NANOS);
        }

        assertThat(a.cq.drain()).containsExactly("SEND 7 RETRY_EXC_ERR", "RDMA_WRITE 8 WR_FLUSH_ERR");
    }
}
