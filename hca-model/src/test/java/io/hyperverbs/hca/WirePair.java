package io.hyperverbs.hca;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.HcaFixture.Guest;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.verbs.QpLimits;
import java.lang.foreign.ValueLayout;

/** Two queue pairs of RC on two HCAs, with a buffer each; connected by whoever needs it. */
final class WirePair implements QpPair {
    static final int MTU = 2048;

    final WireFixture wire;
    final Guest left;
    final Guest right;
    final TestQp a;
    final TestQp b;
    final Buffer from;
    final Buffer to;

    WirePair() {
        this(1 << 20, 64);
    }

    /** The timeout, then two of it, then four. */
    @Override
    public long ackWaitNanos(int waits) {
        return TIMEOUT_NANOS << Math.min(waits, 2);
    }

    /**
     * @param bytes of each buffer
     * @param entries of each queue
     */
    WirePair(int bytes, int entries) {
        wire = new WireFixture(1);
        left = wire.a.guest(1);
        right = wire.b.guest(1);
        QpLimits limits = QpLimits.of(entries, entries).withSge(4, 4);
        a = new TestQp(wire.a, left, left.cq(4 * entries), limits, 1);
        b = new TestQp(wire.b, right, right.cq(4 * entries), limits, 1);
        from = left.buffer(bytes);
        to = right.buffer(bytes);
        fill();
    }

    /** A connected pair. */
    static WirePair connected() {
        WirePair pair = new WirePair();
        TestQp.connect(pair.a, pair.b);
        return pair;
    }

    /** Writes what no zero byte can be taken for into the buffer of {@code a}. */
    private void fill() {
        for (long i = 0; i < from.bytes(); i++) {
            wire.a.memory.set(ValueLayout.JAVA_BYTE, from.machine() + i, byteAt(i));
        }
    }

    static byte byteAt(long i) {
        return (byte) (1 + (i * 31 + (i >> 8)) % 250);
    }

    void write(long wrId, int bytes) {
        a.rdma(wrId, SendWqeLayout.OPCODE_RDMA_WRITE, TestQp.SIGNALLED, from, bytes, to.address(), to.rkey());
    }

    void read(long wrId, int bytes) {
        a.rdma(wrId, SendWqeLayout.OPCODE_RDMA_READ, TestQp.SIGNALLED, from, bytes, to.address(), to.rkey());
    }

    /** How many bytes of {@code to} are as in {@code from}, counted from the first. */
    long arrived(long bytes) {
        long mismatch =
                wire.a.memory.asSlice(from.machine(), bytes).mismatch(wire.b.memory.asSlice(to.machine(), bytes));
        return mismatch < 0 ? bytes : mismatch;
    }

    @Override
    public TestQp a() {
        return a;
    }

    @Override
    public TestQp b() {
        return b;
    }

    @Override
    public Buffer from() {
        return from;
    }

    @Override
    public Buffer to() {
        return to;
    }

    @Override
    public void run() {
        wire.run();
    }

    @Override
    public void pass(long nanos) {
        wire.pass(nanos);
    }
}
