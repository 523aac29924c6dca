package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.HcaFixture.Guest;
import io.hyperverbs.hca.HcaFixture.TestCq;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every value that a field of a request can have, as far as there are few enough. */
class HostileRequestTest {
    private static final int SEGMENT_COUNT = 10;
    private static final int INLINE_BYTES = 28;

    private final HcaFixture fixture = new HcaFixture();
    private final Guest guest = fixture.guest(1);
    private final Buffer from = guest.buffer(4096);
    private final Buffer to = guest.buffer(4096);
    private final TestQp a = new TestQp(fixture, guest);
    private final TestQp b = new TestQp(fixture, guest);

    /** What comes of the request at the head of the ring; both sides are ready again then. */
    private VerbsStatus outcome() {
        a.ring();
        fixture.run();
        WorkCompletion completion = a.cq.poll();
        assertThat(completion).isNotNull();
        a.modify(QpAttributes.to(QpState.RESET));
        b.modify(QpAttributes.to(QpState.RESET));
        a.sends.reset();
        b.receives.reset();
        TestQp.connect(a, b);
        return completion.status();
    }

    @Test
    void everyNumberOfPiecesIsAllowedOrRefused() {
        TestQp.connect(a, b);
        for (int count = 0; count <= 0xffff; count += count < 300 ? 1 : 97) {
            long wqe = a.begin(1, SendWqeLayout.OPCODE_RDMA_WRITE, SendFlags.SIGNALLED);
            SendWqeLayout.writeRemote(fixture.memory, wqe, to.address(), to.rkey());
            for (int i = 0; i < 4; i++) {
                SendWqeLayout.writeSegment(fixture.memory, wqe, i, from.address(), 8, from.lkey());
            }
            fixture.memory.set(ValueLayout.JAVA_SHORT, wqe + SEGMENT_COUNT, (short) count);

            assertThat(outcome())
                    .as("%d pieces", count)
                    .isEqualTo(count <= 4 ? VerbsStatus.SUCCESS : VerbsStatus.LOC_QP_OP_ERR);
        }
        assertThat(fixture.counter(Counter.ENGINE_FAULTS)).isZero();
    }

    @Test
    void everyInlineLengthIsAllowedOrRefused() {
        TestQp.connect(a, b);
        int max = QpLimits.of(64, 64).withSge(4, 4).inlineBytes();
        List<Integer> lengths = new ArrayList<>(List.of(Integer.MIN_VALUE, -1, 1 << 20));
        lengths.add(Integer.MAX_VALUE);
        for (int length = 0; length <= a.geometry.sendStrideBytes() + 64; length++) {
            lengths.add(length);
        }
        for (int length : lengths) {
            long wqe = a.begin(1, SendWqeLayout.OPCODE_RDMA_WRITE, SendFlags.SIGNALLED | SendFlags.INLINE);
            SendWqeLayout.writeRemote(fixture.memory, wqe, to.address(), to.rkey());
            fixture.memory.set(ValueLayout.JAVA_INT, wqe + INLINE_BYTES, length);

            assertThat(outcome())
                    .as("%d bytes inline", length)
                    .isEqualTo(length >= 0 && length <= max ? VerbsStatus.SUCCESS : VerbsStatus.LOC_QP_OP_ERR);
        }
        assertThat(fixture.counter(Counter.ENGINE_FAULTS)).isZero();
    }

    @ParameterizedTest
    @EnumSource(
            value = QpType.class,
            names = {"RC", "UC", "UD"})
    void everyOpcodeIsKnownOrRefused(QpType type) {
        int known = 0;
        for (int opcode = 0; opcode < 256; opcode++) {
            // A fixture each, as what is known may need anything to succeed.
            HcaFixture own = new HcaFixture(4 << 20, HcaFixture.LIMITS);
            Guest one = own.guest(1);
            TestQp sender = TestQp.of(type, own, one);
            TestQp other = TestQp.of(type, own, one);
            switch (type) {
                case RC -> TestQp.connect(sender, other);
                case UC -> TestQp.connectUc(sender, other);
                default -> sender.activate(7);
            }
            long _ = sender.begin(1, opcode, SendFlags.SIGNALLED);
            sender.ring();
            own.run();
            // Longer than all retries, one at each pass.
            for (int pass = 0; pass < 10; pass++) {
                own.pass(10_000_000_000L);
            }
            WorkCompletion completion = sender.cq.poll();

            assertThat(completion).as("opcode %d", opcode).isNotNull();
            if (opcode > SendWqeLayout.OPCODE_SEND_WITH_INV) {
                assertThat(completion.status()).isEqualTo(VerbsStatus.LOC_QP_OP_ERR);
            } else {
                known += completion.status() == VerbsStatus.LOC_QP_OP_ERR ? 0 : 1;
            }
            assertThat(own.counter(Counter.ENGINE_FAULTS)).isZero();
        }
        // Datagrams need an address handle, which these have not.
        assertThat(known > 0).isEqualTo(type != QpType.UD);
    }

    @Test
    void atomicsAreRefusedAtEveryOddAddress() {
        TestQp.connect(a, b);
        for (int offset = 0; offset < 16; offset++) {
            for (int opcode : new int[] {SendWqeLayout.OPCODE_COMPARE_AND_SWAP, SendWqeLayout.OPCODE_FETCH_AND_ADD}) {
                long wqe = a.begin(1, opcode, SendFlags.SIGNALLED);
                SendWqeLayout.writeRemote(fixture.memory, wqe, to.address() + offset, to.rkey());
                SendWqeLayout.writeAtomic(fixture.memory, wqe, 0, 1);
                a.segment(wqe, from, 0, 8);

                assertThat(outcome())
                        .as("offset %d", offset)
                        .isEqualTo(offset % 8 == 0 ? VerbsStatus.SUCCESS : VerbsStatus.REM_INV_REQ_ERR);
            }
        }
        assertThat(fixture.counter(Counter.ENGINE_FAULTS)).isZero();
    }

    @Test
    void ringsOfWorkAreNeverWritten() {
        TestQp.connect(a, b);
        for (int i = 0; i < 64; i++) {
            b.receive(i, to, 0, 64);
        }
        for (int i = 0; i < 32; i++) {
            a.send(i, TestQp.SIGNALLED, from, 0, 64);
            a.rdma(
                    100 + i,
                    i % 2 == 0 ? SendWqeLayout.OPCODE_RDMA_WRITE : SendWqeLayout.OPCODE_RDMA_READ,
                    TestQp.SIGNALLED,
                    from,
                    64,
                    // The last one fails, and the rest flushes.
                    to.address() + (i == 31 ? 8192 : 0),
                    to.rkey());
        }
        byte[] sends = bytes(a);
        byte[] receives = bytes(b);

        fixture.run();

        assertThat(a.state()).isEqualTo(QpState.ERR);
        assertThat(bytes(a)).isEqualTo(sends);
        assertThat(bytes(b)).isEqualTo(receives);
    }

    private byte[] bytes(TestQp qp) {
        MemorySegment rings = fixture.memory.asSlice(qp.rings, qp.geometry.totalBytes());
        return rings.toArray(ValueLayout.JAVA_BYTE);
    }

    @Test
    void aThousandQueuePairsOfOneCompletionQueueFailAtOnce() {
        for (int entries : new int[] {2048, 256}) {
            HcaFixture large = new HcaFixture(64 << 20, new HcaLimits(1024, 8, 16, 8, 4, 4096, 8, 8, 1, 2048));
            Guest owner = large.guest(1);
            TestCq shared = owner.cq(entries);
            List<TestQp> all = new ArrayList<>();
            for (int i = 0; i < 1000; i++) {
                all.add(new TestQp(large, owner, shared, QpLimits.of(2, 2), 1));
            }
            for (int i = 0; i < all.size(); i += 2) {
                TestQp.connect(all.get(i), all.get(i + 1));
            }
            for (TestQp qp : all) {
                long wqe = qp.begin(1, SendWqeLayout.OPCODE_RDMA_WRITE, SendFlags.SIGNALLED);
                SendWqeLayout.writeSegmentCount(large.memory, wqe, 1);
                SendWqeLayout.writeSegment(large.memory, wqe, 0, 1, 64, 1);
                qp.ring();
                qp.send(2, TestQp.SIGNALLED, new Buffer(0, 0, 0, 0, 0, 0), 0, 0);
            }
            large.run();

            assertThat(all).allMatch(qp -> qp.state() == QpState.ERR);
            assertThat(shared.drain()).hasSize(Math.min(entries, 2 * all.size()));
            List<String> events = large.events();
            assertThat(Collections.frequency(events, "CQ_ERR " + shared.number)).isEqualTo(entries < 2000 ? 1 : 0);
            assertThat(large.counter(Counter.ENGINE_FAULTS)).isZero();
        }
    }
}
