package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.HcaFixture.Guest;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reliable connections between two HCAs. */
class WireTransferTest {
    private static final int BYTES = 1 << 20;

    private final WireFixture wire = new WireFixture(1);
    private final Guest left = wire.a.guest(1);
    private final Guest right = wire.b.guest(1);
    private final TestQp a = new TestQp(wire.a, left);
    private final TestQp b = new TestQp(wire.b, right);
    private final Buffer from = left.buffer(BYTES);
    private final Buffer to = right.buffer(BYTES);

    @BeforeEach
    void connect() {
        for (int i = 0; i < BYTES; i++) {
            wire.a.memory.set(ValueLayout.JAVA_BYTE, from.machine() + i, (byte) (i * 31 + (i >> 8)));
        }
        TestQp.connect(a, b);
    }

    private WorkCompletion completion(TestQp qp) {
        WorkCompletion completion = qp.cq.poll();
        assertThat(completion).as("completion").isNotNull();
        return completion;
    }

    private long mismatch(int bytes) {
        return wire.a.memory.asSlice(from.machine(), bytes).mismatch(wire.b.memory.asSlice(to.machine(), bytes));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 7, 2047, 2048, 2049, 4095, 4096, 4097, 65_535, 65_536, 300_001, BYTES})
    void writesArrive(int bytes) {
        a.rdma(1, SendWqeLayout.OPCODE_RDMA_WRITE, TestQp.SIGNALLED, from, bytes, to.address(), to.rkey());
        wire.run();

        assertThat(completion(a).status()).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(mismatch(bytes)).isEqualTo(-1);
        assertThat(wire.b.counter(Counter.RX_WRITE_REQUESTS)).isOne();
    }

    @Test
    void countsEachPacketThatItSends() {
        wire.watch();
        b.receive(7, to, 0, BYTES);
        a.rdma(1, SendWqeLayout.OPCODE_RDMA_WRITE, TestQp.SIGNALLED, from, 300_001, to.address(), to.rkey());
        a.rdma(2, SendWqeLayout.OPCODE_RDMA_READ, TestQp.SIGNALLED, from, 5000, to.address(), to.rkey());
        a.send(3, TestQp.SIGNALLED, from, 0, 1);
        wire.run();

        assertThat(a.cq.drain()).hasSize(3).allMatch(done -> done.endsWith("SUCCESS"));
        assertThat(wire.a.counter(Counter.PORT_XMIT_PACKETS))
                .isEqualTo(147 + 1 + 1)
                .isEqualTo(wire.sent(packet -> packet.destination() == WireFixture.B)
                        .size());
        assertThat(wire.b.counter(Counter.PORT_XMIT_PACKETS))
                .isGreaterThan(3)
                .isEqualTo(wire.sent(packet -> packet.destination() == WireFixture.A)
                        .size());
        assertThat(wire.a.counter(Counter.RETRANSMITTED_PACKETS)).isZero();
    }

    @ParameterizedTest
    @CsvSource({"0, LOC_LEN_ERR", "256, LOC_PROT_ERR"})
    void messageOfMorePacketsThanPsnsTellApartIsTooLong(int shorter, VerbsStatus status) {
        TestQp first = new TestQp(wire.a, left);
        TestQp second = new TestQp(wire.b, right);
        first.init(HcaFixture.ALL_REMOTE);
        Endpoint peer = new Endpoint(wire.b.lid, second.qpn, second.psn, 0, 0, 0);
        first.modify(QpAttributes.toRtr(peer).with(QpAttribute.PATH_MTU, 256));
        first.rts();
        long wqe = first.begin(7, SendWqeLayout.OPCODE_RDMA_WRITE, TestQp.SIGNALLED);
        SendWqeLayout.writeSegmentCount(wire.a.memory, wqe, 2);
        SendWqeLayout.writeSegment(wire.a.memory, wqe, 0, 0, 1 << 30, from.lkey());
        SendWqeLayout.writeSegment(wire.a.memory, wqe, 1, 0, (1 << 30) - shorter, from.lkey());
        first.ring();
        wire.run();

        // Two GiB less 256 bytes pass the check of the length; they are not in the region.
        assertThat(completion(first).status()).isEqualTo(status);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2048, 2049, 65_537, 300_001, BYTES})
    void sendsArrive(int bytes) {
        b.receive(7, to, 0, BYTES);
        a.send(1, TestQp.SIGNALLED, from, 0, bytes);
        wire.run();

        assertThat(completion(a).status()).isEqualTo(VerbsStatus.SUCCESS);
        WorkCompletion received = completion(b);
        assertThat(received.status()).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(received.byteCount()).isEqualTo(bytes);
        assertThat(mismatch(bytes)).isEqualTo(-1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2048, 2049, 65_537, 300_001, BYTES})
    void readsBringTheBytes(int bytes) {
        b.rdma(1, SendWqeLayout.OPCODE_RDMA_READ, TestQp.SIGNALLED, to, bytes, from.address(), from.rkey());
        wire.run();

        assertThat(completion(b).status()).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(mismatch(bytes)).isEqualTo(-1);
    }

    @Test
    void atomicsAreExecutedOnce() {
        wire.b.memory.set(ValueLayout.JAVA_LONG, to.machine(), 40);
        a.atomic(1, SendWqeLayout.OPCODE_FETCH_AND_ADD, from, to.address(), to.rkey(), 2, 0);
        a.atomic(2, SendWqeLayout.OPCODE_COMPARE_AND_SWAP, from, to.address(), to.rkey(), 42, 7);
        wire.run();

        assertThat(completion(a).status()).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(completion(a).status()).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(wire.a.memory.get(ValueLayout.JAVA_LONG, from.machine())).isEqualTo(42);
        assertThat(wire.b.memory.get(ValueLayout.JAVA_LONG, to.machine())).isEqualTo(7);
    }

    @Test
    void manyRequestsAreUnderWayAndCompleteInOrder() {
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < 50; i++) {
                a.rdma(i, SendWqeLayout.OPCODE_RDMA_WRITE, TestQp.SIGNALLED, from, 64 + i, to.address(), to.rkey());
            }
            wire.run();
            for (int i = 0; i < 50; i++) {
                WorkCompletion done = completion(a);
                assertThat(done.status()).isEqualTo(VerbsStatus.SUCCESS);
                assertThat(done.wrId()).isEqualTo(i);
            }
        }
    }

    @Test
    void ucHasNoPacketThatInvalidates() {
        WireFixture wire = new WireFixture(1);
        HcaFixture.Guest left = wire.a.guest(1);
        HcaFixture.Guest right = wire.b.guest(1);
        TestQp sender = TestQp.of(QpType.UC, wire.a, left);
        TestQp receiver = TestQp.of(QpType.UC, wire.b, right);
        TestQp.connectUc(sender, receiver);
        HcaFixture.Buffer buffer = left.buffer(64);

        sender.rdma(1, SendWqeLayout.OPCODE_SEND_WITH_INV, TestQp.SIGNALLED, buffer, 8, 0, 5);
        wire.run();

        assertThat(sender.cq.poll().status()).isEqualTo(VerbsStatus.LOC_QP_OP_ERR);
        assertThat(wire.b.counter(Counter.RX_DROPPED_PACKETS)).isZero();
    }
}
