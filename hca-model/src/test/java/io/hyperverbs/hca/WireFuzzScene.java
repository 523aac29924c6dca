package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.HcaFixture.Guest;
import io.hyperverbs.hca.HcaFixture.TestCq;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Guests of two HCAs with queue pairs of RC, UC and UD between them, which are made again whenever they have failed, and
 * two guests whose connection must never fail. Their buffers lie between pages that nobody may change.
 */
final class WireFuzzScene {
    private static final int BYTES = 16 * 1024;
    private static final int PAGE = 4096;
    private static final int ENTRIES = 16;
    private static final int QKEY = 0x1234;
    private static final byte GUARD = 0x5a;
    private static final int[] OPCODES = {
        SendWqeLayout.OPCODE_SEND,
        SendWqeLayout.OPCODE_SEND_WITH_IMM,
        SendWqeLayout.OPCODE_RDMA_WRITE,
        SendWqeLayout.OPCODE_RDMA_WRITE_WITH_IMM,
        SendWqeLayout.OPCODE_RDMA_READ,
        SendWqeLayout.OPCODE_COMPARE_AND_SWAP,
        SendWqeLayout.OPCODE_FETCH_AND_ADD
    };

    /** One side: guests, buffers with guards, and queue pairs of the guest that is attacked. */
    static final class Side {
        final HcaFixture hca;
        final Guest victim;
        final Guest innocent;
        final TestCq cq;
        final TestCq innocentCq;
        final TestQp innocentQp;
        final Buffer buffer;
        final Buffer innocentBuffer;
        final long guardBefore;
        final long guardBetween;
        final long guardAfter;
        final int handle;
        TestQp rc;
        TestQp uc;
        TestQp ud;
        private final long rings;

        Side(HcaFixture hca, int otherLid) {
            this.hca = hca;
            victim = hca.guest(1);
            innocent = hca.guest(2);
            cq = victim.cq(4096);
            innocentCq = innocent.cq(64);
            innocentQp = new TestQp(hca, innocent, innocentCq, QpLimits.of(ENTRIES, ENTRIES), 1);
            guardBefore = guard();
            buffer = victim.buffer(BYTES);
            guardBetween = guard();
            innocentBuffer = innocent.buffer(BYTES);
            guardAfter = guard();
            handle = hca.hca.createAh(victim.pd, AddressAttributes.of(otherLid)).number();
            rings = hca.allocate(0);
            make();
        }

        private long guard() {
            long at = hca.allocate(PAGE);
            hca.memory.asSlice(at, PAGE).fill(GUARD);
            return at;
        }

        private void make() {
            rc = queuePair(QpType.RC);
            uc = queuePair(QpType.UC);
            ud = queuePair(QpType.UD);
        }

        private TestQp queuePair(QpType type) {
            return TestQp.of(type, hca, victim, cq, QpLimits.of(ENTRIES, ENTRIES));
        }

        /** Other queue pairs in place of those that there are. */
        private void remake() {
            for (TestQp qp : List.of(rc, uc, ud)) {
                assertThat(hca.hca.destroyQp(qp.qpn)).isEqualTo(VerbsStatus.SUCCESS);
            }
            hca.rewind(rings);
            make();
        }

        boolean hasFailed() {
            return rc.state() != QpState.RTS || uc.state() != QpState.RTS || ud.state() != QpState.RTS;
        }

        boolean isGuarded() {
            for (long at : new long[] {guardBefore, guardBetween, guardAfter}) {
                for (long i = 0; i < PAGE; i += Long.BYTES) {
                    if (hca.memory.get(ValueLayout.JAVA_LONG, at + i) != 0x5a5a_5a5a_5a5a_5a5aL) {
                        return false;
                    }
                }
            }
            return true;
        }
    }

    final WireFixture wire;
    final Side a;
    final Side b;
    private int remade;
    private int number;

    WireFuzzScene(long seed) {
        wire = new WireFixture(seed);
        a = new Side(wire.a, 3);
        b = new Side(wire.b, 1);
        TestQp.connect(a.innocentQp, b.innocentQp, 7);
        connect();
    }

    private void connect() {
        TestQp.connect(a.rc, b.rc, 7);
        TestQp.connectUc(a.uc, b.uc);
        a.ud.activate(QKEY);
        b.ud.activate(QKEY);
        for (int i = 0; i < ENTRIES; i++) {
            for (Side side : List.of(a, b)) {
                side.rc.receive(i, side.buffer, 0, BYTES);
                side.uc.receive(i, side.buffer, 0, BYTES);
                side.ud.receive(i, side.buffer, 0, BYTES);
            }
        }
        wire.run();
    }

    /** Makes queue pairs again if one has failed. */
    void revive() {
        a.cq.drain();
        b.cq.drain();
        a.hca.events();
        b.hca.events();
        if (a.hasFailed() || b.hasFailed() || ++number % 8 == 0) {
            remade++;
            a.remake();
            b.remake();
            connect();
        }
    }

    /** How often queue pairs were made again. */
    int remade() {
        return remade;
    }

    /** One request of each transport in each direction, whatever becomes of them. */
    void traffic(RandomGenerator dice) {
        request(a, b, dice.nextInt(OPCODES.length), dice.nextInt(4) * 2500);
        request(b, a, dice.nextInt(OPCODES.length), dice.nextInt(4) * 2500);
    }

    /** Each operation once, of one packet and of several. */
    void exchange() {
        for (int i = 0; i < OPCODES.length; i++) {
            for (int bytes : new int[] {0, 64, 7000}) {
                request(a, b, i, bytes);
                wire.run();
                a.cq.drain();
                b.cq.drain();
            }
        }
    }

    private static void request(Side from, Side to, int index, int bytes) {
        int opcode = OPCODES[index];
        boolean isAtomic =
                opcode == SendWqeLayout.OPCODE_COMPARE_AND_SWAP || opcode == SendWqeLayout.OPCODE_FETCH_AND_ADD;
        long address = to.buffer.address();
        int rkey = to.buffer.rkey();
        if (isAtomic) {
            from.rc.atomic(1, opcode, from.buffer, address, rkey, 1, 2);
        } else {
            from.rc.rdma(1, opcode, TestQp.SIGNALLED, from.buffer, bytes, address, rkey);
        }
        if (!isAtomic && opcode != SendWqeLayout.OPCODE_RDMA_READ) {
            from.uc.rdma(1, opcode, TestQp.SIGNALLED, from.buffer, bytes, address, rkey);
        }
        from.ud.datagram(1, from.handle, to.ud.qpn, QKEY, TestQp.SIGNALLED, from.buffer, Math.min(bytes, 1000));
    }

    boolean isOfInnocents(int qpn) {
        return qpn == a.innocentQp.qpn || qpn == b.innocentQp.qpn;
    }

    /** The connection of the innocent ones carries a write and a read with the right bytes. */
    void expectInnocentsServed(RandomGenerator dice) {
        int bytes = 1 + dice.nextInt(BYTES);
        byte[] payload = new byte[bytes];
        dice.nextBytes(payload);
        MemorySegment from = a.hca.memory.asSlice(a.innocentBuffer.machine(), bytes);
        MemorySegment to = b.hca.memory.asSlice(b.innocentBuffer.machine(), bytes);
        from.copyFrom(MemorySegment.ofArray(payload));
        innocent(SendWqeLayout.OPCODE_RDMA_WRITE, bytes);
        assertThat(to.mismatch(from)).isEqualTo(-1);
        from.fill((byte) 0);
        innocent(SendWqeLayout.OPCODE_RDMA_READ, bytes);
        assertThat(MemorySegment.ofArray(payload).mismatch(from)).isEqualTo(-1);
    }

    private void innocent(int opcode, int bytes) {
        a.innocentQp.rdma(
                1,
                opcode,
                TestQp.SIGNALLED,
                a.innocentBuffer,
                bytes,
                b.innocentBuffer.address(),
                b.innocentBuffer.rkey());
        wire.run();
        WorkCompletion done = a.innocentCq.poll();
        assertThat(done).as("completion of an innocent request").isNotNull();
        assertThat(done.status()).isEqualTo(VerbsStatus.SUCCESS);
    }

    void expectUnharmed() {
        for (Side side : List.of(a, b)) {
            assertThat(side.isGuarded()).isTrue();
            assertThat(side.hca.counter(Counter.ENGINE_FAULTS)).isZero();
            assertThat(side.hca.hca.engine().hasFailed()).isFalse();
        }
    }
}
