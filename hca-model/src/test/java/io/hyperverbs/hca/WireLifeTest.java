package io.hyperverbs.hca;

import static io.hyperverbs.hca.TestQp.SIGNALLED;
import static io.hyperverbs.hca.WirePair.MTU;
import static io.hyperverbs.hca.WirePair.TICK_NANOS;
import static io.hyperverbs.hca.WirePair.TIMEOUT_NANOS;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.VendorError;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What ends while requests are under way on a wire: memory, queue pairs, ports, room in queues. */
class WireLifeTest {
    private static final int LONG = 1 << 20;
    private static final int READ = SendWqeLayout.OPCODE_RDMA_READ;

    // The timeout, and after waits in vain two and four of it.
    private static final long RETRIES_NANOS = 8 * TIMEOUT_NANOS;

    private final WirePair pair = WirePair.connected();
    private final WireFixture wire = pair.wire;
    private final TestQp a = pair.a;
    private final TestQp b = pair.b;

    /** Lets the engines take turns until some bytes of the message have arrived. */
    private void begin() {
        for (int i = 0; pair.arrived(LONG) == 0; i++) {
            assertThat(i).isLessThan(1000);
            wire.turn();
        }
        assertThat(pair.arrived(LONG)).isLessThan(LONG);
        assertThat(a.cq.poll()).isNull();
    }

    private void beginRead() {
        for (int i = 0; isZero(wire.a, pair.from, 0); i++) {
            assertThat(i).isLessThan(1000);
            wire.turn();
        }
        assertThat(isZero(wire.a, pair.from, LONG - 1)).isTrue();
    }

    private static boolean isZero(HcaFixture hca, Buffer buffer, long at) {
        return hca.memory.get(ValueLayout.JAVA_BYTE, buffer.machine() + at) == 0;
    }

    /** Bytes of {@code b} to be read to zeroed ones of {@code a}. */
    private void fillForRead() {
        for (int i = 0; i < LONG; i++) {
            wire.a.memory.set(ValueLayout.JAVA_BYTE, pair.from.machine() + i, (byte) 0);
            wire.b.memory.set(ValueLayout.JAVA_BYTE, pair.to.machine() + i, WirePair.byteAt(i));
        }
        a.rdma(1, READ, SIGNALLED, pair.from, LONG, pair.to.address(), pair.to.rkey());
    }

    private static byte[] bytes(HcaFixture hca, Buffer buffer) {
        return hca.memory.asSlice(buffer.machine(), buffer.bytes()).toArray(ValueLayout.JAVA_BYTE);
    }

    /** The next completion, when all retries are over. */
    private WorkCompletion end(TestQp qp) {
        pair.step(RETRIES_NANOS);
        WorkCompletion end = qp.cq.poll();
        assertThat(end).as("completion").isNotNull();
        return end;
    }

    @Test
    void nothingOfAWriteLandsAfterItsRegionIsDeregistered() {
        pair.write(1, LONG);
        begin();

        assertThat(wire.b.hca.destroyRegion(pair.to.region())).isEqualTo(VerbsStatus.SUCCESS);
        byte[] then = bytes(wire.b, pair.to);
        WorkCompletion end = end(a);

        assertThat(end.status()).isEqualTo(VerbsStatus.REM_ACCESS_ERR);
        assertThat(end.vendorError()).isEqualTo(VendorError.REMOTE_NAK);
        assertThat(bytes(wire.b, pair.to)).isEqualTo(then);
        assertThat(b.state()).isEqualTo(QpState.ERR);
        assertThat(wire.b.events()).contains("QP_ACCESS_ERR " + b.qpn);
    }

    @Test
    void nothingOfASendLandsAfterTheReceivesRegionIsDeregistered() {
        b.receive(7, pair.to, 0, LONG);
        a.send(1, SIGNALLED, pair.from, 0, LONG);
        begin();

        assertThat(wire.b.hca.destroyRegion(pair.to.region())).isEqualTo(VerbsStatus.SUCCESS);
        byte[] then = bytes(wire.b, pair.to);
        WorkCompletion end = end(a);

        assertThat(end.status()).isEqualTo(VerbsStatus.REM_OP_ERR);
        assertThat(bytes(wire.b, pair.to)).isEqualTo(then);
        assertThat(b.cq.drain()).containsExactly("RECV 7 LOC_PROT_ERR");
    }

    /** A read so long that its answer takes many turns: what left before the deregistration is not all. */
    @Test
    void nothingOfAReadLeavesAfterItsRegionIsDeregistered() {
        int bytes = 8 << 20;
        WirePair big = new WirePair(bytes, 64);
        TestQp.connect(big.a, big.b);
        big.wire.watch();
        big.read(1, bytes);
        for (int i = 0; big.wire.sent(WireLifeTest::hasPayload).isEmpty(); i++) {
            assertThat(i).isLessThan(1000);
            big.wire.turn();
        }
        assertThat(big.wire.sent(WireLifeTest::hasPayload)).hasSizeLessThan(bytes / MTU);

        assertThat(big.wire.b.hca.destroyRegion(big.to.region())).isEqualTo(VerbsStatus.SUCCESS);
        big.wire.watch();
        big.step(4 * TIMEOUT_NANOS);

        assertThat(big.wire.sent(WireLifeTest::hasPayload)).isEmpty();
        assertThat(big.a.cq.drain()).containsExactly("RDMA_READ 1 REM_ACCESS_ERR");
        assertThat(big.b.state()).isEqualTo(QpState.ERR);
    }

    /** All of the answer left in time, but a part was lost: it is not given again. */
    @Test
    void nothingOfAReadIsGivenAgainAfterItsRegionIsDeregistered() {
        int[] answers = new int[1];
        wire.lose(packet -> hasPayload(packet) && ++answers[0] > 10);
        fillForRead();
        wire.run();
        assertThat(a.cq.poll()).isNull();

        assertThat(wire.b.hca.destroyRegion(pair.to.region())).isEqualTo(VerbsStatus.SUCCESS);
        wire.loseNone();
        wire.watch();
        WorkCompletion end = end(a);

        assertThat(end.status()).isEqualTo(VerbsStatus.REM_ACCESS_ERR);
        assertThat(wire.sent(WireLifeTest::hasPayload)).isEmpty();
        assertThat(isZero(wire.a, pair.from, 10 * MTU)).isTrue();
    }

    private static boolean hasPayload(WirePacket packet) {
        return packet.payloadBytes() > 0;
    }

    @Test
    void nothingOfAReadLandsAfterItsBufferIsDeregistered() {
        fillForRead();
        beginRead();

        assertThat(wire.a.hca.destroyRegion(pair.from.region())).isEqualTo(VerbsStatus.SUCCESS);
        byte[] then = bytes(wire.a, pair.from);
        WorkCompletion end = end(a);

        assertThat(end.status()).isEqualTo(VerbsStatus.LOC_PROT_ERR);
        assertThat(bytes(wire.a, pair.from)).isEqualTo(then);
        assertThat(b.state()).isEqualTo(QpState.RTS);
    }

    @Test
    void nothingOfAWriteLeavesAfterItsBufferIsDeregistered() {
        pair.write(1, LONG);
        begin();

        assertThat(wire.a.hca.destroyRegion(pair.from.region())).isEqualTo(VerbsStatus.SUCCESS);
        wire.watch();
        WorkCompletion end = end(a);

        assertThat(end.status()).isEqualTo(VerbsStatus.LOC_PROT_ERR);
        assertThat(end.vendorError()).isEqualTo(VendorError.REVOKED);
        assertThat(wire.sent(packet -> packet.source() == WireFixture.A)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aPeerThatIsDestroyedOrResetIsSilent(boolean isDestroyed) {
        pair.write(1, LONG);
        pair.write(2, 8);
        begin();

        if (isDestroyed) {
            assertThat(wire.b.hca.destroyQp(b.qpn)).isEqualTo(VerbsStatus.SUCCESS);
        } else {
            b.modify(QpAttributes.to(QpState.RESET));
        }
        byte[] then = bytes(wire.b, pair.to);

        assertThat(end(a).status()).isEqualTo(VerbsStatus.RETRY_EXC_ERR);
        assertThat(a.cq.drain()).containsExactly("RDMA_WRITE 2 WR_FLUSH_ERR");
        assertThat(bytes(wire.b, pair.to)).isEqualTo(then);
    }

    @Test
    void aDestroyedRequesterIsForgottenWithAllThatIsUnderWay() {
        fillForRead();
        pair.write(2, LONG);
        beginRead();

        assertThat(wire.a.hca.destroyQp(a.qpn)).isEqualTo(VerbsStatus.SUCCESS);
        byte[] then = bytes(wire.a, pair.from);
        pair.step(4 * TIMEOUT_NANOS);

        assertThat(bytes(wire.a, pair.from)).isEqualTo(then);
        assertThat(a.cq.poll()).isNull();
        assertThat(wire.a.counter(Counter.ENGINE_FAULTS)).isZero();
        assertThat(wire.b.counter(Counter.ENGINE_FAULTS)).isZero();
    }

    /** A new life with other PSNs hears nothing of the old one, whose packets are still coming. */
    @Test
    void aResetQueuePairBeginsAnew() {
        fillForRead();
        beginRead();
        a.modify(QpAttributes.to(QpState.RESET));
        b.modify(QpAttributes.to(QpState.RESET));
        byte[] then = bytes(wire.a, pair.from);
        a.psn = 0x1234;
        b.psn = 0x5678;
        TestQp again = new TestQp(wire.a, pair.left);
        TestQp.connect(again, b);
        wire.run();
        b.receive(7, pair.to, 0, 8);
        again.send(1, SIGNALLED, pair.left.buffer(8), 0, 8);
        wire.run();

        assertThat(again.cq.drain()).containsExactly("SEND 1 SUCCESS");
        assertThat(bytes(wire.a, pair.from)).isEqualTo(then);
    }

    @Test
    void aRequesterInTheMiddleOfAMessageCanBeResetAndConnectedAgain() {
        wire.lose(packet -> packet.source() == WireFixture.B);
        pair.write(1, LONG);
        pair.write(2, 8);
        wire.run();
        wire.loseNone();
        a.modify(QpAttributes.to(QpState.RESET));
        b.modify(QpAttributes.to(QpState.RESET));
        a.sends.reset();
        a.psn = 0x1234;
        b.psn = 0x5678;
        TestQp.connect(a, b);
        pair.write(3, LONG);
        wire.run();

        assertThat(a.cq.drain()).containsExactly("RDMA_WRITE 3 SUCCESS");
        assertThat(pair.arrived(LONG)).isEqualTo(LONG);
    }

    @Test
    void aPortThatIsDownForAMomentCostsRetries() {
        pair.write(1, LONG);
        begin();
        assertThat(wire.a.hca.setPort(1, false)).isEqualTo(VerbsStatus.SUCCESS);
        pair.step(TIMEOUT_NANOS + 2 * TICK_NANOS);
        assertThat(a.cq.poll()).isNull();
        assertThat(wire.a.hca.setPort(1, true)).isEqualTo(VerbsStatus.SUCCESS);

        assertThat(end(a).status()).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(pair.arrived(LONG)).isEqualTo(LONG);
    }

    @Test
    void aPortThatStaysDownEndsTheRequest() {
        pair.write(1, LONG);
        begin();
        wire.a.hca.setPort(1, false);
        byte[] then = bytes(wire.b, pair.to);
        wire.watch();
        WorkCompletion end = end(a);

        assertThat(end.status()).isEqualTo(VerbsStatus.RETRY_EXC_ERR);
        assertThat(end.vendorError()).isEqualTo(VendorError.PORT_DOWN);
        assertThat(wire.sent(packet -> packet.source() == WireFixture.A)).isEmpty();
        assertThat(bytes(wire.b, pair.to)).isEqualTo(then);
    }

    @Test
    void thePeersPortThatStaysDownEndsTheRequestToo() {
        pair.write(1, LONG);
        begin();
        wire.b.hca.setPort(1, false);
        byte[] then = bytes(wire.b, pair.to);
        WorkCompletion end = end(a);

        assertThat(end.status()).isEqualTo(VerbsStatus.RETRY_EXC_ERR);
        assertThat(end.vendorError()).isEqualTo(VendorError.PEER_SILENT);
        assertThat(bytes(wire.b, pair.to)).isEqualTo(then);
    }

    @Test
    void aFullCompletionQueueAtTheResponderIsToldToTheRequester() {
        TestQp c = new TestQp(wire.a, pair.left);
        TestQp d = new TestQp(
                wire.b, pair.right, pair.right.cq(2), QpLimits.of(4, 16).withSge(1, 1), 1);
        TestQp.connect(c, d);
        for (int i = 0; i < 3; i++) {
            d.receive(i, pair.to, 0, 8);
            c.send(i, SIGNALLED, pair.from, 0, 8);
            wire.run();
        }

        assertThat(c.cq.drain()).containsExactly("SEND 0 SUCCESS", "SEND 1 SUCCESS", "SEND 2 REM_OP_ERR");
        assertThat(wire.b.events()).containsExactlyInAnyOrder("CQ_ERR " + d.cq.number, "QP_FATAL " + d.qpn);
        assertThat(d.state()).isEqualTo(QpState.ERR);
    }

    @Test
    void aFullCompletionQueueAtTheRequesterEndsIt() {
        TestQp c = new TestQp(
                wire.a, pair.left, pair.left.cq(2), QpLimits.of(16, 4).withSge(1, 1), 1);
        TestQp d = new TestQp(wire.b, pair.right);
        TestQp.connect(c, d);
        for (int i = 0; i < 8; i++) {
            c.rdma(i, SendWqeLayout.OPCODE_RDMA_WRITE, SIGNALLED, pair.from, 8, pair.to.address(), pair.to.rkey());
        }
        wire.run();

        assertThat(c.state()).isEqualTo(QpState.ERR);
        assertThat(wire.a.events()).containsExactlyInAnyOrder("CQ_ERR " + c.cq.number, "QP_FATAL " + c.qpn);
        assertThat(d.state()).isEqualTo(QpState.RTS);
        assertThat(wire.a.counter(Counter.ENGINE_FAULTS)).isZero();
    }

    @Test
    void aReceiveThatIsTooSmallIsFoundInTheMiddle() {
        b.receive(7, pair.to, 0, 3 * MTU);
        b.receive(8, pair.to, 0, 3 * MTU);
        a.send(1, SIGNALLED, pair.from, 0, 3 * MTU + 1);
        a.send(2, SIGNALLED, pair.from, 0, 8);
        wire.run();

        assertThat(a.cq.drain()).containsExactly("SEND 1 REM_INV_REQ_ERR", "SEND 2 WR_FLUSH_ERR");
        assertThat(b.cq.drain()).containsExactly("RECV 7 LOC_LEN_ERR", "RECV 8 WR_FLUSH_ERR");
        assertThat(isZero(wire.b, pair.to, 3 * MTU)).isTrue();
    }

    @Test
    void whatIsOwedIsGivenBeforeTheRefusal() {
        fillForRead();
        a.rdma(2, SendWqeLayout.OPCODE_RDMA_WRITE, SIGNALLED, pair.from, 8, pair.to.address(), 77);
        wire.run();

        assertThat(a.cq.drain()).containsExactly("RDMA_READ 1 SUCCESS", "RDMA_WRITE 2 REM_ACCESS_ERR");
        assertThat(pair.arrived(LONG)).isEqualTo(LONG);
    }

    @Test
    void readsAndWritesOfManyQueuePairsShareOnePort() {
        List<TestQp> senders = java.util.stream.IntStream.range(0, 8)
                .mapToObj(i -> new TestQp(wire.a, pair.left))
                .toList();
        for (TestQp sender : senders) {
            TestQp.connect(sender, new TestQp(wire.b, pair.right));
            for (int i = 0; i < 10; i++) {
                sender.rdma(
                        i,
                        i % 2 == 0 ? SendWqeLayout.OPCODE_RDMA_WRITE : READ,
                        SIGNALLED,
                        pair.from,
                        300_000,
                        pair.to.address(),
                        pair.to.rkey());
            }
        }
        wire.run();

        for (TestQp sender : senders) {
            assertThat(sender.cq.drain()).hasSize(10).allMatch(done -> done.endsWith("SUCCESS"));
        }
    }
}
