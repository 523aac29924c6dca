package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.HcaFixture.Guest;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.wire.Icrc;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsStatus;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * Two HCAs on a network with an attacker. A guest of {@code b} has queue pairs of RC, UC and UD with peers at {@code a},
 * all with receives posted, and a buffer that the peers may write, between pages that nobody may; another guest of
 * {@code b} has a buffer and no queue pair.
 */
final class HostileScene {
    static final int QKEY = 0x1234;
    static final int BYTES = 8192;
    static final int PAGE = 4096;
    static final int RECEIVES = 8;

    /** UDP payload of an ACK or NAK. */
    static final int ACK_BYTES = 20;

    /** UDP payload of a send of no byte. */
    static final int SMALLEST_REQUEST_BYTES = 16;

    private static final List<Counter> DROPS = List.of(
            Counter.RX_DROPPED_PACKETS, Counter.RX_ICRC_ENCAPSULATED, Counter.UNCONNECTED_REQUESTS, Counter.BAD_PKEYS);

    final WireFixture wire = new WireFixture(1);
    final WireAttacker attacker = new WireAttacker(wire.network);
    final Guest far = wire.a.guest(1);
    final Guest victim = wire.b.guest(1);
    final Guest other = wire.b.guest(2);
    /** Of RC at {@code a}. */
    TestQp peer;

    /** Of RC at {@code b}. */
    TestQp rc;

    final TestQp ucPeer = TestQp.of(QpType.UC, wire.a, far);
    final TestQp uc = TestQp.of(QpType.UC, wire.b, victim);
    final TestQp ud = TestQp.of(QpType.UD, wire.b, victim);
    final Buffer farBuffer = far.buffer(BYTES);
    final long guardBefore = wire.b.allocate(PAGE);
    final Buffer buffer = victim.buffer(BYTES);
    final long guardAfter = wire.b.allocate(PAGE);
    final Buffer secret = other.buffer(BYTES);
    private final long buffersEnd = wire.b.allocate(0);
    private byte[] before = new byte[0];
    private long dropsBefore;

    HostileScene() {
        peer = new TestQp(wire.a, far);
        rc = new TestQp(wire.b, victim);
        connect();
        TestQp.connectUc(ucPeer, uc);
        ud.activate(QKEY);
        for (int i = 0; i < RECEIVES; i++) {
            uc.receive(i, buffer, 4096, 2048);
            ud.receive(i, buffer, 4096, 2048);
        }
        for (long at = guardBefore; at < buffersEnd; at += 8) {
            wire.b.memory.set(ValueLayout.JAVA_LONG, at, 0x5a5a_5a5a_5a5a_5a00L + at);
        }
        wire.run();
        remember();
    }

    private void connect() {
        TestQp.connect(peer, rc);
        for (int i = 0; i < RECEIVES; i++) {
            rc.receive(i, buffer, 4096, 2048);
        }
    }

    /** Undoes what a test has changed of the network and the attacker, and connects again. */
    void beginAgain() {
        wire.loseNone();
        attacker.to(WireFixture.B).marked(0);
        reconnect();
    }

    /** Others in place of the queue pairs of RC, whatever became of those. */
    void reconnect() {
        assertThat(wire.a.hca.destroyQp(peer.qpn)).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(wire.b.hca.destroyQp(rc.qpn)).isEqualTo(VerbsStatus.SUCCESS);
        QpLimits limits = QpLimits.of(16, 16);
        peer = new TestQp(wire.a, far, peer.cq, limits, 1);
        rc = new TestQp(wire.b, victim, rc.cq, limits, 1);
        peer.cq.drain();
        rc.cq.drain();
        connect();
        wire.run();
        remember();
    }

    /** All memory of guests, their rings and doorbell pages too. */
    private MemorySegment guests() {
        long from = wire.b.statusPage + PAGE;
        return wire.b.memory.asSlice(from, wire.b.allocate(0) - from);
    }

    /** The buffers of guests, and what lies between. */
    private MemorySegment buffers() {
        return wire.b.memory.asSlice(guardBefore, buffersEnd - guardBefore);
    }

    void remember() {
        before = guests().toArray(ValueLayout.JAVA_BYTE);
        dropsBefore = allDrops();
        wire.watch();
    }

    /** Nothing of any guest has changed since {@link #remember}. */
    void expectNoByteOfAnyGuestChanged() {
        assertThat(guests().mismatch(MemorySegment.ofArray(before))).isEqualTo(-1);
        expectAlive();
    }

    /** No buffer has changed; a queue may have been told of an error. */
    void expectNoBufferChanged() {
        long bytes = buffers().byteSize();
        long from = wire.b.statusPage + PAGE;
        MemorySegment then = MemorySegment.ofArray(before).asSlice(guardBefore - from, bytes);
        assertThat(buffers().mismatch(then)).isEqualTo(-1);
        expectAlive();
    }

    void expectAlive() {
        for (HcaFixture hca : List.of(wire.a, wire.b)) {
            assertThat(hca.counter(Counter.ENGINE_FAULTS)).isZero();
            assertThat(hca.hca.engine().hasFailed()).isFalse();
        }
    }

    /** UDP payload that {@code b} has sent since {@link #remember}. */
    long answeredBytes() {
        return wire.sent.stream()
                .filter(packet -> packet.source() == WireFixture.B || packet.source() == WireFixture.B + 1)
                .mapToLong(packet -> packet.bytes().byteSize() + Icrc.SIZE_BYTES)
                .sum();
    }

    /** Packets that {@code b} counts as no good since {@link #remember}. */
    long drops() {
        return allDrops() - dropsBefore;
    }

    private long allDrops() {
        return DROPS.stream().mapToLong(wire.b::counter).sum()
                + wire.b.hca.queryPort(1).qkeyViolations()
                + wire.b.hca.queryPort(2).qkeyViolations();
    }
}
