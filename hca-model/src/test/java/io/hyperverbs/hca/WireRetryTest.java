package io.hyperverbs.hca;

import static io.hyperverbs.hca.TestQp.SIGNALLED;
import static io.hyperverbs.hca.WirePair.TICK_NANOS;
import static io.hyperverbs.hca.WirePair.TIMEOUT_NANOS;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.hca.wire.PacketOpcode.Kind;
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

/** Timers of a reliable connection on a wire: as {@link RcRetryTest} has them within one HCA. */
class WireRetryTest {
    /** With the delay of {@link QpAttributes#toRtr}, and a limited number of retries. */
    private static final long[] RNR_WAITS_NANOS = {640_000, 3_200_000, 16_000_000, 80_000_000, 400_000_000, 655_360_000
    };

    private final WirePair pair = new WirePair();
    private final WireFixture wire = pair.wire;
    private final TestQp a = pair.a;
    private final TestQp b = pair.b;

    private void send() {
        a.send(7, SIGNALLED, pair.from, 0, 8);
        wire.run();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 5, 6})
    void givesUpAfterTheRetries(int retries) {
        TestQp.connect(a, b, retries);
        wire.watch();
        wire.lose(packet -> packet.destination() == WireFixture.B);
        pair.write(7, 8);
        wire.run();

        for (int i = 0; i <= retries; i++) {
            assertThat(wire.sent).as("tries").hasSize(i + 1);
            wire.pass(TIMEOUT_NANOS - TICK_NANOS);
            assertThat(wire.sent).as("tries before the timeout").hasSize(i + 1);
            assertThat(a.cq.poll()).as("in timeout " + i).isNull();
            wire.pass(3 * TICK_NANOS);
        }

        WorkCompletion failed = a.cq.poll();
        assertThat(failed.explain()).startsWith("RETRY_EXC_ERR");
        assertThat(failed.vendorError()).isEqualTo(VendorError.PEER_SILENT);
        assertThat(a.state()).isEqualTo(QpState.ERR);
        assertThat(b.state()).isEqualTo(QpState.RTS);
        assertThat(wire.a.counter(Counter.LOCAL_ACK_TIMEOUT_ERR)).isEqualTo(retries + 1);
        assertThat(wire.sent).hasSize(retries + 1).allMatch(packet -> packet.psn() == 0xfffffe);
    }

    @Test
    void sevenRetriesAreForEver() {
        TestQp.connect(a, b, 7);
        wire.lose(packet -> packet.destination() == WireFixture.B);
        pair.write(7, 8);

        for (int i = 0; i < 100; i++) {
            wire.pass(TIMEOUT_NANOS + 2 * TICK_NANOS);
        }
        assertThat(a.cq.poll()).isNull();
        wire.loseNone();
        wire.pass(TIMEOUT_NANOS + 2 * TICK_NANOS);

        assertThat(a.cq.drain()).containsExactly("RDMA_WRITE 7 SUCCESS");
    }

    @Test
    void timeoutZeroWaitsForEver() {
        TestQp.connect(a, b);
        a.tune(QpAttribute.TIMEOUT, 0);
        wire.watch();
        wire.lose(packet -> packet.destination() == WireFixture.B);
        pair.write(7, 8);

        wire.pass(1_000_000_000_000L);

        assertThat(a.cq.poll()).isNull();
        assertThat(wire.sent).hasSize(1);
        a.modify(QpAttributes.to(QpState.ERR));
        wire.run();
        assertThat(a.cq.drain()).containsExactly("RDMA_WRITE 7 WR_FLUSH_ERR");
    }

    @Test
    void progressGivesAllRetriesBack() {
        TestQp.connect(a, b, 1);
        for (int i = 0; i < 5; i++) {
            wire.lose(packet -> packet.destination() == WireFixture.B);
            pair.write(i, 8);
            wire.run();
            wire.loseNone();
            wire.pass(TIMEOUT_NANOS + 2 * TICK_NANOS);

            assertThat(a.cq.drain()).containsExactly("RDMA_WRITE " + i + " SUCCESS");
        }
        assertThat(wire.a.counter(Counter.LOCAL_ACK_TIMEOUT_ERR)).isEqualTo(5);
    }

    @Test
    void requestsUnderWayBehindTheOneThatFailsFlush() {
        TestQp.connect(a, b);
        wire.lose(packet -> packet.destination() == WireFixture.B);
        a.send(7, 0, pair.from, 0, 8);
        a.rdma(8, SendWqeLayout.OPCODE_RDMA_WRITE, 0, pair.from, 8, pair.to.address(), pair.to.rkey());
        wire.run();

        for (int i = 0; i < 3; i++) {
            wire.pass(TIMEOUT_NANOS + 2 * TICK_NANOS);
        }

        assertThat(a.cq.drain()).containsExactly("SEND 7 RETRY_EXC_ERR", "RDMA_WRITE 8 WR_FLUSH_ERR");
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
        wire.run();
        send();

        for (int i = 0; i < 3; i++) {
            wire.pass(TIMEOUT_NANOS + 2 * TICK_NANOS);
        }

        assertThat(a.cq.drain()).containsExactly("SEND 7 RETRY_EXC_ERR");
        assertThat(b.state()).isEqualTo(state);
    }

    @Test
    void peerThatComesInTimeIsHeard() {
        a.init(HcaFixture.ALL_REMOTE);
        a.rtr(b);
        a.rts();
        send();
        wire.pass(TIMEOUT_NANOS + 2 * TICK_NANOS);
        b.init(HcaFixture.ALL_REMOTE);
        b.receive(70, pair.to, 0, 8);
        b.rtr(a);

        wire.pass(TIMEOUT_NANOS + 2 * TICK_NANOS);

        assertThat(a.cq.drain()).containsExactly("SEND 7 SUCCESS");
        assertThat(wire.b.events()).containsExactly("COMM_EST " + b.qpn);
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
        b.receive(70, pair.to, 0, 8);
        send();

        for (int i = 0; i < 3; i++) {
            wire.pass(TIMEOUT_NANOS + 2 * TICK_NANOS);
        }

        assertThat(a.cq.drain()).containsExactly("SEND 7 RETRY_EXC_ERR");
        assertThat(wire.b.counter(Counter.OUT_OF_SEQUENCE)).isEqualTo(3);
        assertThat(b.cq.poll()).isNull();
    }

    @ParameterizedTest
    @CsvSource({"0, 655360000", "1, 10000", "8, 160000", "12, 640000", "20, 10240000", "31, 491520000"})
    void waitsTheRespondersDelayAndNotLess(int code, long delayNanos) {
        TestQp.connect(a, b);
        b.modify(QpAttributes.none().with(QpAttribute.MIN_RNR_TIMER, code));
        wire.watch();
        send();
        b.receive(70, pair.to, 0, 8);

        wire.pass(delayNanos - 1);
        assertThat(a.cq.poll()).as("one nanosecond early").isNull();
        wire.pass(1 + 2 * TICK_NANOS);

        assertThat(a.cq.drain()).containsExactly("SEND 7 SUCCESS");
        assertThat(b.cq.drain()).containsExactly("RECV 70 SUCCESS");
        assertThat(wire.a.counter(Counter.RNR_NAK_RETRY_ERR)).isOne();
        assertThat(wire.sent(WirePacket::isRequest)).hasSize(2);
    }

    @Test
    void doorbellsDoNotShortenTheRnrDelay() {
        TestQp.connect(a, b);
        wire.watch();
        send();
        b.receive(70, pair.to, 0, 8);

        pair.write(8, 8);
        wire.run();

        assertThat(a.cq.poll()).isNull();
        assertThat(wire.sent(WirePacket::isRequest)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 6})
    void givesUpAfterTheRnrRetries(int retries) {
        TestQp.connect(a, b);
        a.tune(QpAttribute.RNR_RETRY, retries);
        send();

        for (int i = 0; i < retries; i++) {
            assertThat(a.cq.poll()).as("after " + i + " retries").isNull();
            wire.pass(RNR_WAITS_NANOS[i] - TICK_NANOS);
            assertThat(a.cq.poll()).as("in wait " + i).isNull();
            wire.pass(3 * TICK_NANOS);
        }

        WorkCompletion failed = a.cq.poll();
        assertThat(failed.explain()).startsWith("RNR_RETRY_EXC_ERR");
        assertThat(failed.vendorError()).isEqualTo(VendorError.NO_RECEIVE);
        assertThat(a.state()).isEqualTo(QpState.ERR);
        assertThat(b.state()).isEqualTo(QpState.RTS);
        assertThat(wire.b.counter(Counter.OUT_OF_BUFFER)).isEqualTo(retries + 1);
    }

    @Test
    void sevenRnrRetriesAreForEver() {
        TestQp.connect(a, b);
        a.tune(QpAttribute.RNR_RETRY, 7);
        send();

        for (int i = 0; i < 100; i++) {
            wire.pass(640_000 + 2 * TICK_NANOS);
        }

        assertThat(a.cq.poll()).isNull();
        assertThat(wire.a.counter(Counter.RNR_NAK_RETRY_ERR)).isEqualTo(101);
        b.receive(70, pair.to, 0, 8);
        wire.pass(640_000 + 2 * TICK_NANOS);
        assertThat(a.cq.drain()).containsExactly("SEND 7 SUCCESS");
    }

    @Test
    void aDoubledRnrNakIsOneRefusal() {
        TestQp.connect(a, b);
        a.tune(QpAttribute.RNR_RETRY, 1);
        wire.network.impair(0, 1, 0);
        send();
        assertThat(a.cq.poll()).isNull();
        assertThat(wire.a.counter(Counter.RNR_NAK_RETRY_ERR)).isOne();
        b.receive(70, pair.to, 0, 8);

        wire.pass(640_000 + 2 * TICK_NANOS);

        assertThat(a.cq.drain()).containsExactly("SEND 7 SUCCESS");
    }

    /** An RNR NAK shows that the peer is there: what is lost in between is not one row of losses. */
    @Test
    void anRnrNakGivesTransportRetriesBack() {
        TestQp.connect(a, b, 1);
        a.tune(QpAttribute.RNR_RETRY, 7);
        for (int i = 0; i < 4; i++) {
            wire.lose(packet -> packet.destination() == WireFixture.B);
            if (i == 0) {
                send();
            } else {
                wire.pass(640_000 + 2 * TICK_NANOS);
            }
            wire.loseNone();
            wire.pass(TIMEOUT_NANOS + 2 * TICK_NANOS);
        }
        assertThat(a.cq.poll()).isNull();
        assertThat(wire.a.counter(Counter.LOCAL_ACK_TIMEOUT_ERR)).isEqualTo(4);
        b.receive(70, pair.to, 0, 8);

        wire.pass(640_000 + 2 * TICK_NANOS);

        assertThat(a.cq.drain()).containsExactly("SEND 7 SUCCESS");
    }

    /** One answer is lost, and many behind it come: that is one loss. */
    @Test
    void aReadWhoseAnswerIsMissingIsAskedForOnce() {
        TestQp.connect(a, b, 1);
        boolean[] isLost = {false};
        wire.lose(packet -> packet.kind() == Kind.READ_RESPONSE && !isLost[0] && (isLost[0] = true));
        wire.watch();
        for (int i = 0; i < 8; i++) {
            pair.read(i, 8);
        }
        wire.run();

        assertThat(a.cq.drain()).hasSize(8).allMatch(done -> done.endsWith("SUCCESS"));
        assertThat(wire.a.counter(Counter.IMPLIED_NAK_SEQ_ERR)).isOne();
        assertThat(wire.sent(packet -> packet.kind() == Kind.READ_REQUEST)).hasSize(16);
        assertThat(wire.sent(packet -> packet.kind() == Kind.READ_RESPONSE)).hasSize(16);
    }

    @Test
    void aGapIsSaidOnceAndCostsOneRetry() {
        TestQp.connect(a, b, 1);
        boolean[] isLost = {false};
        wire.lose(packet -> packet.isRequest() && !isLost[0] && (isLost[0] = true));
        wire.watch();
        for (int i = 0; i < 8; i++) {
            pair.write(i, 8);
        }
        wire.run();

        assertThat(a.cq.drain()).hasSize(8).allMatch(done -> done.endsWith("SUCCESS"));
        assertThat(wire.a.counter(Counter.PACKET_SEQ_ERR)).isOne();
        assertThat(wire.b.counter(Counter.OUT_OF_SEQUENCE)).isEqualTo(7);
        assertThat(wire.sent(WirePacket::isRequest)).hasSize(16);
    }
}
