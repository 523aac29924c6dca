package io.hyperverbs.hca;

import static io.hyperverbs.hca.QpPair.TICK_NANOS;
import static io.hyperverbs.hca.QpPair.TIMEOUT_NANOS;
import static io.hyperverbs.hca.TestQp.SIGNALLED;
import static io.hyperverbs.hca.WirePair.MTU;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.hca.wire.AethSyndrome;
import io.hyperverbs.hca.wire.PacketOpcode.Kind;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.SendFlags;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which requests of a reliable connection are under way on a wire at one time, and what acknowledges them. */
class WireWindowTest {
    private static final int WRITE = SendWqeLayout.OPCODE_RDMA_WRITE;

    private final WirePair pair = WirePair.connected();
    private final WireFixture wire = pair.wire;
    private final TestQp a = pair.a;
    private final TestQp b = pair.b;

    private void write(long wrId, int flags) {
        a.rdma(wrId, WRITE, flags, pair.from, 8, pair.to.address(), pair.to.rkey());
    }

    private void fetchAdd(long wrId) {
        a.atomic(wrId, SendWqeLayout.OPCODE_FETCH_AND_ADD, pair.from, pair.to.address(), pair.to.rkey(), 1, 0);
    }

    private int requestsSent() {
        return wire.sent(WirePacket::isRequest).size();
    }

    /** Sends one message whose acknowledgement comes, and notes what is sent from then on without an answer. */
    private void sendOneThenLoseAnswers() {
        a.send(0, SIGNALLED, pair.from, 0, 8);
        wire.run();
        assertThat(a.cq.drain()).containsExactly("SEND 0 SUCCESS");
        wire.watch();
        loseAnswers();
    }

    /** Polls all that is complete, each a success, and frees its entries; how many. */
    private int pollSuccesses() {
        int done = 0;
        while (a.cq.ring.hasNext()) {
            a.sends.freeUpTo(a.cq.ring.sqHead());
            assertThat(a.cq.poll().status().name()).isEqualTo("SUCCESS");
            done++;
        }
        return done;
    }

    private void loseAnswers() {
        wire.lose(packet -> packet.source() == WireFixture.B);
    }

    private void expireOnce() {
        wire.loseNone();
        wire.pass(TIMEOUT_NANOS + 2 * TICK_NANOS);
    }

    private static List<String> all(String opcode, int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> opcode + " " + i + " SUCCESS")
                .toList();
    }

    @Test
    void sqdEndsWhatIsUnderWayAndBeginsNothing() {
        a.modify(QpAttributes.to(QpState.SQD));
        a.modify(QpAttributes.to(QpState.RTS));
        wire.watch();
        loseAnswers();
        for (int i = 0; i < 8; i++) {
            pair.write(i, 8);
        }
        wire.run();
        assertThat(requestsSent()).isEqualTo(8);

        a.modify(QpAttributes.to(QpState.SQD).with(QpAttribute.EN_SQD_ASYNC_NOTIFY, 1));
        pair.write(8, 8);
        wire.run();
        assertThat(a.cq.poll()).isNull();
        assertThat(wire.a.events()).isEmpty();
        expireOnce();

        assertThat(a.cq.drain()).isEqualTo(all("RDMA_WRITE", 0, 8));
        assertThat(wire.a.events()).containsExactly("SQ_DRAINED " + a.qpn);
        assertThat(wire.sent(WirePacket::isRequest)).allMatch(packet -> packet.psn() != (0xfffffe + 8 & 0xffffff));
        a.modify(QpAttributes.to(QpState.RTS));
        wire.run();
        assertThat(a.cq.drain()).isEqualTo(all("RDMA_WRITE", 8, 9));
    }

    @Test
    void sqdEndsTheMessageThatIsInTheMiddle() {
        wire.watch();
        loseAnswers();
        pair.write(0, 1 << 20);
        wire.run();
        // As many packets as may be under way, of more than 500.
        assertThat(requestsSent()).isLessThan(100);

        a.modify(QpAttributes.to(QpState.SQD).with(QpAttribute.EN_SQD_ASYNC_NOTIFY, 1));
        pair.write(1, 8);
        expireOnce();

        assertThat(a.cq.drain()).isEqualTo(all("RDMA_WRITE", 0, 1));
        assertThat(wire.a.events()).containsExactly("SQ_DRAINED " + a.qpn);
        assertThat(pair.arrived(1 << 20)).isEqualTo(1 << 20);
    }

    @Test
    void fenceWaitsForReadsAndAtomics() {
        wire.watch();
        loseAnswers();
        pair.read(0, 8);
        fetchAdd(1);
        write(2, SIGNALLED);
        write(3, SIGNALLED | SendFlags.FENCE);
        write(4, SIGNALLED);
        wire.run();
        assertThat(requestsSent()).as("all before the fence").isEqualTo(3);

        expireOnce();

        assertThat(a.cq.drain())
                .containsExactly(
                        "RDMA_READ 0 SUCCESS",
                        "FETCH_ADD 1 SUCCESS",
                        "RDMA_WRITE 2 SUCCESS",
                        "RDMA_WRITE 3 SUCCESS",
                        "RDMA_WRITE 4 SUCCESS");
    }

    @Test
    void fenceDoesNotWaitForWrites() {
        wire.watch();
        loseAnswers();
        write(0, SIGNALLED);
        write(1, SIGNALLED | SendFlags.FENCE);
        wire.run();

        assertThat(requestsSent()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 16})
    void noMoreReadsAndAtomicsAreUnderWayThanMayBe(int depth) {
        a.tune(QpAttribute.MAX_QP_RD_ATOMIC, depth);
        wire.watch();
        loseAnswers();
        for (int i = 0; i < 20; i++) {
            if (i % 3 == 2) {
                fetchAdd(i);
            } else {
                pair.read(i, 3 * MTU);
            }
        }
        wire.run();
        assertThat(requestsSent()).isEqualTo(depth);

        wire.loseNone();
        int most = 0;
        int outstanding = 0;
        for (int i = 0; i < 100_000 && a.sends.free() < 64; i++) {
            wire.watch();
            wire.a.now += TIMEOUT_NANOS / 4;
            wire.a.hca.engine().doWork(wire.a.now);
            outstanding += requestsSent();
            most = Math.max(most, outstanding);
            wire.watch();
            wire.b.hca.engine().doWork(wire.b.now);
            outstanding -= (int) wire.sent.stream()
                    .filter(packet -> packet.kind() != Kind.ACK)
                    .filter(packet -> packet.row().place().endsMessage())
                    .count();
            int _ = pollSuccesses();
        }
        assertThat(a.sends.free()).isEqualTo(64);
        assertThat(most).isLessThanOrEqualTo(depth);
    }

    /** How many sends were under way at most, when the acknowledgement before said so many credits. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 8})
    void withoutCreditsOneSendAtATimeIsUnderWay(int receives) {
        b.receive(100, pair.to, 0, 8);
        for (int i = 0; i < receives; i++) {
            b.receive(101 + i, pair.to, 0, 8);
        }
        sendOneThenLoseAnswers();
        for (int i = 1; i <= 20; i++) {
            a.send(i, SIGNALLED, pair.from, 0, 8);
        }
        wire.run();

        assertThat(requestsSent()).isEqualTo(Math.max(1, receives));
    }

    @Test
    void creditsDoNotHoldWritesBack() {
        b.receive(100, pair.to, 0, 8);
        sendOneThenLoseAnswers();
        for (int i = 1; i <= 20; i++) {
            write(i, SIGNALLED);
        }
        wire.run();

        assertThat(requestsSent()).isEqualTo(20);
    }

    @Test
    void moreSendsThanReceivesCompleteAsReceivesCome() {
        for (int i = 0; i < 40; i++) {
            a.send(i, SIGNALLED, pair.from, 0, 8);
        }
        wire.run();
        for (int i = 0; i < 40; i++) {
            b.receive(100 + i, pair.to, 0, 8);
            wire.pass(700_000);
            wire.pass(700_000);
        }

        assertThat(a.cq.drain()).isEqualTo(all("SEND", 0, 40));
        assertThat(b.cq.drain()).isEqualTo(all("RECV", 100, 140));
    }

    @Test
    void whatAnswersAMessageGoesBeforeItsAcknowledgement() {
        wire.watch();
        write(1, SIGNALLED);
        int _ = wire.turn();
        b.rdma(2, WRITE, SIGNALLED, pair.to, 8, pair.from.address(), pair.from.rkey());

        wire.run();

        assertThat(wire.sent(packet -> packet.source() == WireFixture.B))
                .extracting(WirePacket::isRequest)
                .containsExactly(true, false);
        assertThat(b.cq.drain()).containsExactly("RDMA_WRITE 2 SUCCESS");
    }

    @Test
    void anAcknowledgementWithoutRoomGoesWhenThereIsSome() {
        int bytes = 1 << 16;
        // Their answers are more than a port has room for.
        for (int i = 0; i < 20; i++) {
            TestQp reader = new TestQp(wire.a, pair.left);
            TestQp.connect(reader, new TestQp(wire.b, pair.right));
            reader.rdma(
                    i, SendWqeLayout.OPCODE_RDMA_READ, SIGNALLED, pair.from, bytes, pair.to.address(), pair.to.rkey());
        }
        write(20, SIGNALLED);
        while (wire.a.hca.engine().doWork(wire.a.now) > 0) {
            // Until all requests are on their way.
        }

        wire.run();

        assertThat(a.cq.drain()).containsExactly("RDMA_WRITE 20 SUCCESS");
    }

    @Test
    void oneAcknowledgementIsForAllOfABatch() {
        wire.watch();
        for (int i = 0; i < 16; i++) {
            write(i, SIGNALLED);
        }
        wire.run();

        assertThat(a.cq.drain()).isEqualTo(all("RDMA_WRITE", 0, 16));
        assertThat(wire.sent(packet -> packet.kind() == Kind.ACK)).hasSize(1).allSatisfy(packet -> {
            assertThat(packet.msn()).isEqualTo(16);
            assertThat(packet.psn()).isEqualTo(0xfffffe + 15 & 0xffffff);
        });
    }

    /** The last packet of each request asks, and some of a long one. */
    @Test
    void packetsAskForAcknowledgements() {
        wire.watch();
        pair.write(0, 100 * MTU);
        wire.run();

        List<WirePacket> packets = wire.sent(WirePacket::isRequest);
        assertThat(packets).hasSize(100);
        assertThat(packets.getLast().asksForAck()).isTrue();
        assertThat(packets.stream().filter(WirePacket::asksForAck).count()).isBetween(6L, 20L);
        assertThat(wire.sent(packet -> packet.kind() == Kind.ACK)).isNotEmpty().allMatch(ack -> ack.syndrome() < 32);
    }

    @Test
    void whatDoesNotAskIsNotAcknowledged() {
        wire.lose(packet -> packet.isRequest() && packet.asksForAck());
        wire.watch();
        pair.write(0, 2 * MTU);
        wire.run();

        assertThat(pair.arrived(2 * MTU)).isEqualTo(MTU);
        assertThat(wire.sent(packet -> packet.kind() == Kind.ACK)).isEmpty();
    }

    @Test
    void acknowledgementsThatComeTwiceCountOnce() {
        wire.network.impair(0, 1, 0);
        for (int i = 0; i < 50; i++) {
            write(i, SIGNALLED);
            wire.run();
        }

        assertThat(a.cq.drain()).isEqualTo(all("RDMA_WRITE", 0, 50));
        assertThat(wire.a.counter(Counter.PACKET_SEQ_ERR)).isZero();
        assertThat(wire.b.counter(Counter.DUPLICATE_REQUEST)).isEqualTo(50);
        assertThat(wire.a.counter(Counter.ENGINE_FAULTS)).isZero();
    }

    @Test
    void messageNumbersCountWhatIsComplete() {
        b.receive(100, pair.to, 0, 4 * MTU);
        wire.watch();
        write(0, SIGNALLED);
        wire.run();
        pair.read(1, 3 * MTU);
        wire.run();
        fetchAdd(2);
        wire.run();
        a.send(3, SIGNALLED, pair.from, 0, 3 * MTU);
        wire.run();

        List<WirePacket> answers = wire.sent(packet -> !packet.isRequest());
        assertThat(answers.getFirst().msn()).isOne();
        assertThat(answers.getLast().msn()).isEqualTo(4);
        assertThat(answers.stream().filter(packet -> packet.kind() == Kind.ATOMIC_ACK))
                .singleElement()
                .satisfies(packet -> assertThat(packet.msn()).isEqualTo(3));
    }

    @Test
    void creditsAreThoseOfTheReceivesPosted() {
        for (int i = 0; i < 10; i++) {
            b.receive(100 + i, pair.to, 0, 8);
        }
        wire.watch();
        a.send(0, SIGNALLED, pair.from, 0, 8);
        wire.run();

        WirePacket ack = wire.sent(packet -> packet.kind() == Kind.ACK).getFirst();
        // Nine are left; there is a code for eight.
        assertThat(AethSyndrome.credits(AethSyndrome.value(ack.syndrome()))).isEqualTo(8);
    }

    @Test
    void psnsWrapAndGoOn() {
        long done = 0;
        for (int i = 0; i < 100_000; i += 50) {
            for (int k = 0; k < 50; k++) {
                fetchAdd(i + k);
            }
            wire.run();
            done += pollSuccesses();
        }

        assertThat(done).isEqualTo(100_000);
        assertThat(wire.b.memory.get(ValueLayout.JAVA_LONG, pair.to.machine())).isEqualTo(100_000);
        assertThat(a.fixture.hca.queryQp(a.qpn).get(QpAttribute.SQ_PSN)).isEqualTo(0xfffffe + 100_000 & 0xffffff);
        assertThat(b.fixture.hca.queryQp(b.qpn).get(QpAttribute.RQ_PSN)).isEqualTo(0xfffffe + 100_000 & 0xffffff);
    }
}
