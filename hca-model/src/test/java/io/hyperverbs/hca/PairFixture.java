package io.hyperverbs.hca;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.HcaFixture.Guest;
import io.hyperverbs.verbs.QpType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Two guests, each with a queue pair in RESET and a buffer. */
class PairFixture implements QpPair {
    final HcaFixture fixture;
    final MemorySegment memory;
    final Guest guestA;
    final Guest guestB;
    final TestQp a;
    final TestQp b;
    final Buffer bufferA;
    final Buffer bufferB;

    PairFixture(HcaFixture fixture, QpType type, long bufferBytes) {
        this.fixture = fixture;
        memory = fixture.memory;
        guestA = fixture.guest(1);
        guestB = fixture.guest(2);
        a = TestQp.of(type, fixture, guestA);
        b = TestQp.of(type, fixture, guestB);
        bufferA = guestA.buffer(bufferBytes);
        bufferB = guestB.buffer(bufferBytes);
    }

    PairFixture(QpType type, long bufferBytes) {
        this(new HcaFixture(), type, bufferBytes);
    }

    @Override
    public final TestQp a() {
        return a;
    }

    @Override
    public final TestQp b() {
        return b;
    }

    @Override
    public final Buffer from() {
        return bufferA;
    }

    @Override
    public final Buffer to() {
        return bufferB;
    }

    @Override
    public final void run() {
        fixture.run();
    }

    @Override
    public final void pass(long nanos) {
        fixture.pass(nanos);
    }

    /** Gives the first buffer contents in which a shifted copy shows. */
    final void fill() {
        for (int i = 0; i < bufferA.bytes(); i++) {
            memory.set(ValueLayout.JAVA_BYTE, bufferA.machine() + i, (byte) (i * 31 + 1));
        }
    }
}
