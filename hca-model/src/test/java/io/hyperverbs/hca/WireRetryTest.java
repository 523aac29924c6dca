package io.hyperverbs.hca;

import static io.hyperverbs.hca.QpPair.TICK_NANOS;
import static io.hyperverbs.hca.QpPair.TIMEOUT_NANOS;
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
import org.junit.jupiter.params.provider.ValueSource;

/** Retries on a wire: what is sent again, what was lost or doubled. */
class WireRetryTest extends RetryContract<WirePair> {
    private static final long STANDARD_TIMEOUT_NANOS = 4096L << 14;

    private final WireFixture wire = pair.wire;

    WireRetryTest() {
        super(new WirePair());
    }

    @ParameterizedTest
    @CsvSource({"0, 655360000", "1, 10000", "8, 160000", "12, 640000", "20, 10240000", "31, 491520000"})
    void sendsNothingInTheRespondersDelay(int code, long delayNanos) {
        TestQp.connect(a, b);
        b.modify(QpAttributes.none().with(QpAttribute.MIN_RNR_TIMER, code));
        wire.watch();
        send();
        b.receive(70, pair.to, 0, 8);

        wire.pass(delayNanos - 1);
        assertThat(wire.sent(WirePacket::isRequest)).hasSize(1);
        wire.pass(1 + 2 * TICK_NANOS);

        assertThat(wire.sent(WirePacket::isRequest)).hasSize(2);
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
            wire.pass(pair.ackWaitNanos(i) - TICK_NANOS);
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
        assertThat(wire.a.counter(Counter.RETRANSMITTED_PACKETS)).isEqualTo(retries);
        assertThat(wire.a.counter(Counter.PORT_XMIT_PACKETS)).isEqualTo(retries + 1);
    }

    @Test
    void sevenRetriesAreForEver() {
        TestQp.connect(a, b, 7);
        wire.lose(packet -> packet.destination() == WireFixture.B);
        pair.write(7, 8);

        for (int i = 0; i < 100; i++) {
            wire.pass(4 * TIMEOUT_NANOS + 2 * TICK_NANOS);
        }
        assertThat(a.cq.poll()).isNull();
        wire.loseNone();
        wire.pass(4 * TIMEOUT_NANOS + 2 * TICK_NANOS);

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

    private void connectByDefault() {
        QpAttributes standard = QpAttributes.toRts(0);
        TestQp.connect(a, b, (int) standard.get(QpAttribute.RETRY_CNT));
        a.tune(QpAttribute.TIMEOUT, (int) standard.get(QpAttribute.TIMEOUT));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 500_000_000, 1_000_000_000, 1_250_000_000})
    void aPeerWithoutACoreForAWhileIsStillThereByDefault(long silentNanos) {
        connectByDefault();
        wire.lose(packet -> packet.destination() == WireFixture.B);
        pair.write(7, 8);
        pair.step(silentNanos);
        assertThat(a.cq.poll()).isNull();
        wire.loseNone();
        pair.step(4 * STANDARD_TIMEOUT_NANOS);

        assertThat(a.cq.drain()).containsExactly("RDMA_WRITE 7 SUCCESS");
    }

    @Test
    void aPeerThatIsNotThereIsGivenUpByDefaultAfterAWhile() {
        connectByDefault();
        wire.lose(packet -> packet.destination() == WireFixture.B);
        pair.write(7, 8);
        // 1, 2 and five times 4 timeouts.
        pair.step(23 * STANDARD_TIMEOUT_NANOS - TICK_NANOS);
        assertThat(a.cq.poll()).isNull();
        pair.step(16 * TICK_NANOS);

        assertThat(a.cq.poll().explain()).startsWith("RETRY_EXC_ERR");
    }

    /** What was lost twice has not made the next loss slower. */
    @Test
    void progressBringsTheFirstTimeoutBack() {
        TestQp.connect(a, b);
        wire.lose(packet -> packet.destination() == WireFixture.B);
        pair.write(1, 8);
        wire.pass(TIMEOUT_NANOS + 2 * TICK_NANOS);
        wire.loseNone();
        wire.pass(2 * TIMEOUT_NANOS + 2 * TICK_NANOS);
        assertThat(a.cq.drain()).containsExactly("RDMA_WRITE 1 SUCCESS");
        wire.lose(packet -> packet.destination() == WireFixture.B);
        pair.write(2, 8);
        wire.run();
        wire.loseNone();
        wire.pass(TIMEOUT_NANOS + 2 * TICK_NANOS);

        assertThat(a.cq.drain()).containsExactly("RDMA_WRITE 2 SUCCESS");
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
            wire.pass(pair.ackWaitNanos(i) + 2 * TICK_NANOS);
        }

        assertThat(a.cq.drain()).containsExactly("SEND 7 RETRY_EXC_ERR", "RDMA_WRITE 8 WR_FLUSH_ERR");
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
        assertThat(wire.a.counter(Counter.RETRANSMITTED_PACKETS)).isEqualTo(8);
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
        assertThat(wire.a.counter(Counter.RETRANSMITTED_PACKETS)).isEqualTo(8);
        assertThat(wire.a.counter(Counter.PORT_XMIT_PACKETS)).isEqualTo(16);
        assertThat(wire.b.counter(Counter.RETRANSMITTED_PACKETS)).isZero();
    }
}
