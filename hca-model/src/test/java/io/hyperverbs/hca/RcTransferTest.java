package io.hyperverbs.hca;

import static io.hyperverbs.hca.TestQp.SIGNALLED;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What each operation does when all is well. */
class RcTransferTest {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(LITTLE_ENDIAN);

    private final HcaFixture fixture = new HcaFixture();
    private final MemorySegment memory = fixture.memory;
    private HcaFixture.Guest guestA;
    private HcaFixture.Guest guestB;
    private TestQp a;
    private TestQp b;
    private Buffer bufferA;
    private Buffer bufferB;

    @BeforeEach
    void connect() {
        guestA = fixture.guest(1);
        guestB = fixture.guest(2);
        a = new TestQp(fixture, guestA);
        b = new TestQp(fixture, guestB);
        TestQp.connect(a, b);
        bufferA = guestA.buffer(1 << 20);
        bufferB = guestB.buffer(1 << 20);
        for (int i = 0; i < bufferA.bytes(); i++) {
            memory.set(ValueLayout.JAVA_BYTE, bufferA.machine() + i, (byte) (i * 31));
        }
    }

    private void assertCopied(long fromOffset, long toOffset, long bytes) {
        assertThat(memory.asSlice(bufferB.machine() + toOffset, bytes)
                        .mismatch(memory.asSlice(bufferA.machine() + fromOffset, bytes)))
                .isEqualTo(-1);
    }

    @Test
    void sendsIntoAPostedReceive() {
        b.receive(70, bufferB, 128, 512);

        a.send(7, SIGNALLED, bufferA, 64, 300);
        fixture.run();

        WorkCompletion received = b.cq.poll();
        assertThat(received.opcode()).isEqualTo(WorkCompletion.Opcode.RECV);
        assertThat(received.wrId()).isEqualTo(70);
        assertThat(received.byteCount()).isEqualTo(300);
        assertThat(received.qpn()).isEqualTo(b.qpn);
        assertThat(received.hasImmediate()).isFalse();
        assertThat(a.cq.drain()).containsExactly("SEND 7 SUCCESS");
        assertCopied(64, 128, 300);
        assertThat(memory.get(ValueLayout.JAVA_BYTE, bufferB.machine() + 128 + 300))
                .isZero();
    }

    @Test
    void sendsWithImmediate() {
        b.receive(70, bufferB, 0, 64);

        long wqe = a.begin(7, SendWqeLayout.OPCODE_SEND_WITH_IMM, SIGNALLED);
        SendWqeLayout.writeImmediate(memory, wqe, 0xcafe_babe);
        a.segment(wqe, bufferA, 0, 8);
        a.ring();
        fixture.run();

        WorkCompletion received = b.cq.poll();
        assertThat(received.hasImmediate()).isTrue();
        assertThat(received.immediate()).isEqualTo(0xcafe_babe);
        assertThat(received.opcode()).isEqualTo(WorkCompletion.Opcode.RECV);
    }

    @Test
    void writesWithoutTheResponderNoticing() {
        a.rdma(7, SendWqeLayout.OPCODE_RDMA_WRITE, SIGNALLED, bufferA, 4096, bufferB.address() + 10, bufferB.rkey());
        fixture.run();

        assertThat(a.cq.drain()).containsExactly("RDMA_WRITE 7 SUCCESS");
        assertThat(b.cq.poll()).isNull();
        assertCopied(0, 10, 4096);
    }

    @Test
    void writesWithImmediateIntoAReceive() {
        b.receive(70, 0, 0, 0);

        long wqe = a.begin(7, SendWqeLayout.OPCODE_RDMA_WRITE_WITH_IMM, SIGNALLED);
        SendWqeLayout.writeRemote(memory, wqe, bufferB.address(), bufferB.rkey());
        SendWqeLayout.writeImmediate(memory, wqe, 5);
        a.segment(wqe, bufferA, 0, 100);
        a.ring();
        fixture.run();

        WorkCompletion received = b.cq.poll();
        assertThat(received.opcode()).isEqualTo(WorkCompletion.Opcode.RECV_RDMA_WITH_IMM);
        assertThat(received.immediate()).isEqualTo(5);
        assertThat(received.byteCount()).isEqualTo(100);
        assertCopied(0, 0, 100);
    }

    @Test
    void readsFromThePeer() {
        b.rdma(9, SendWqeLayout.OPCODE_RDMA_READ, SIGNALLED, bufferB, 5000, bufferA.address() + 77, bufferA.rkey());
        fixture.run();

        WorkCompletion read = b.cq.poll();
        assertThat(read.opcode()).isEqualTo(WorkCompletion.Opcode.RDMA_READ);
        assertThat(read.status()).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(read.byteCount()).isEqualTo(5000);
        assertCopied(77, 0, 5000);
    }

    @Test
    void fetchesAndAdds() {
        memory.set(LONG, bufferB.machine() + 16, Long.MAX_VALUE);

        a.atomic(1, SendWqeLayout.OPCODE_FETCH_AND_ADD, bufferA, bufferB.address() + 16, bufferB.rkey(), 2, 0);
        fixture.run();

        assertThat(a.cq.drain()).containsExactly("FETCH_ADD 1 SUCCESS");
        assertThat(memory.get(LONG, bufferA.machine())).isEqualTo(Long.MAX_VALUE);
        assertThat(memory.get(LONG, bufferB.machine() + 16)).isEqualTo(Long.MIN_VALUE + 1);
    }

    @Test
    void swapsOnlyWhatItExpected() {
        memory.set(LONG, bufferB.machine(), 40);

        int opcode = SendWqeLayout.OPCODE_COMPARE_AND_SWAP;
        a.atomic(1, opcode, bufferA, bufferB.address(), bufferB.rkey(), 40, 41);
        fixture.run();
        long first = memory.get(LONG, bufferA.machine());
        a.atomic(2, opcode, bufferA, bufferB.address(), bufferB.rkey(), 40, 99);
        fixture.run();

        assertThat(a.cq.drain()).containsExactly("COMP_SWAP 1 SUCCESS", "COMP_SWAP 2 SUCCESS");
        assertThat(first).isEqualTo(40);
        assertThat(memory.get(LONG, bufferA.machine())).isEqualTo(41);
        assertThat(memory.get(LONG, bufferB.machine())).isEqualTo(41);
    }

    @Test
    void gathersAndScatters() {
        long receive = b.receives.slot(0);
        io.hyperverbs.hca.layout.ReceiveWqeLayout.writeHead(memory, receive, 70);
        io.hyperverbs.hca.layout.ReceiveWqeLayout.writeSegmentCount(memory, receive, 3);
        for (int i = 0; i < 3; i++) {
            io.hyperverbs.hca.layout.ReceiveWqeLayout.writeSegment(
                    memory, receive, i, bufferB.address() + i * 1000L, 50 * i, bufferB.lkey());
        }
        b.receives.publish(1);
        long wqe = a.begin(7, SendWqeLayout.OPCODE_SEND, SIGNALLED);
        SendWqeLayout.writeSegmentCount(memory, wqe, 2);
        SendWqeLayout.writeSegment(memory, wqe, 0, bufferA.address() + 5, 70, bufferA.lkey());
        SendWqeLayout.writeSegment(memory, wqe, 1, bufferA.address() + 300, 60, bufferA.lkey());

        a.ring();
        fixture.run();

        assertThat(b.cq.poll().byteCount()).isEqualTo(130);
        assertCopied(5, 1000, 50);
        assertCopied(55, 2000, 20);
        assertCopied(300, 2020, 60);
    }

    @Test
    void sendsInlineDataWhateverItsKey() {
        b.receive(70, bufferB, 0, 64);
        long wqe = a.begin(7, SendWqeLayout.OPCODE_SEND, SIGNALLED);

        SendWqeLayout.writeInline(memory, wqe, memory, bufferA.machine() + 3, 48);
        a.ring();
        fixture.run();

        assertThat(b.cq.poll().byteCount()).isEqualTo(48);
        assertCopied(3, 0, 48);
    }

    @Test
    void copiesAcrossRunsOfScatteredRegions() {
        long one = fixture.allocate(4096);
        long gap = fixture.allocate(4096);
        long two = fixture.allocate(8192);
        HcaCommands.Keyed keyed = fixture.hca.createRegion(new HcaCommands.RegionInit(
                guestB.pd,
                0x10000 + 100,
                12288 - 100,
                15,
                List.of(new MachineRun(two, 8192), new MachineRun(one, 4096)),
                100));

        a.rdma(7, SendWqeLayout.OPCODE_RDMA_WRITE, SIGNALLED, bufferA, 9000, 0x10000 + 200, keyed.rkey());
        fixture.run();

        assertThat(a.cq.drain()).containsExactly("RDMA_WRITE 7 SUCCESS");
        long first = 8192 - 200;
        long from = bufferA.machine();
        assertThat(memory.asSlice(two + 200, first).mismatch(memory.asSlice(from, first)))
                .isEqualTo(-1);
        assertThat(memory.asSlice(one, 9000 - first).mismatch(memory.asSlice(from + first, 9000 - first)))
                .isEqualTo(-1);
        assertThat(memory.asSlice(gap, 4096).mismatch(fixture.zeros(4096))).isEqualTo(-1);
    }

    @Test
    void completesOnlySignalledRequestsAndFreesTheirPredecessors() {
        for (int i = 0; i < 3; i++) {
            a.rdma(
                    i,
                    SendWqeLayout.OPCODE_RDMA_WRITE,
                    i == 2 ? SIGNALLED : SendFlags.NONE,
                    bufferA,
                    8,
                    bufferB.address(),
                    bufferB.rkey());
        }
        fixture.run();

        assertThat(a.cq.ring.sqHead()).isEqualTo(3);
        assertThat(a.cq.drain()).containsExactly("RDMA_WRITE 2 SUCCESS");
    }

    @Test
    void advancesBothPsnsByPacketsAndWraps() {
        a.rdma(1, SendWqeLayout.OPCODE_RDMA_WRITE, SIGNALLED, bufferA, 2048 * 3 + 1, bufferB.address(), bufferB.rkey());
        fixture.run();

        assertThat(fixture.hca.queryQp(a.qpn).get(QpAttribute.SQ_PSN)).isEqualTo(2);
        assertThat(fixture.hca.queryQp(b.qpn).get(QpAttribute.RQ_PSN)).isEqualTo(2);
    }

    @Test
    void talksToItself() {
        TestQp self = new TestQp(fixture, guestA);
        self.init(HcaFixture.ALL_REMOTE);
        self.rtr(self);
        self.rts();
        self.receive(70, bufferA, 4096, 64);

        self.send(7, SIGNALLED, bufferA, 0, 64);
        fixture.run();

        assertThat(self.cq.drain()).containsExactly("RECV 70 SUCCESS", "SEND 7 SUCCESS");
        assertThat(memory.asSlice(bufferA.machine() + 4096, 64).mismatch(memory.asSlice(bufferA.machine(), 64)))
                .isEqualTo(-1);
    }

    @Test
    void connectsTwoQueuePairsOfOneContext() {
        TestQp one = new TestQp(fixture, guestA, a.cq, io.hyperverbs.verbs.QpLimits.of(8, 8), 1);
        TestQp two = new TestQp(fixture, guestA, a.cq, io.hyperverbs.verbs.QpLimits.of(8, 8), 1);
        TestQp.connect(one, two);
        two.receive(70, bufferA, 4096, 64);

        one.send(7, SIGNALLED, bufferA, 0, 64);
        fixture.run();

        assertThat(a.cq.drain()).containsExactly("RECV 70 SUCCESS", "SEND 7 SUCCESS");
    }
}
