package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.HcaFixture.Guest;
import io.hyperverbs.hca.HcaFixture.TestCq;
import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.hca.layout.ReceiveRing;
import io.hyperverbs.hca.layout.ReceiveWqeLayout;
import io.hyperverbs.hca.layout.SendRing;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.Set;

/** A queue pair with the guest's ends of its rings. */
final class TestQp {
    static final int SIGNALLED = SendFlags.SIGNALLED;

    final HcaFixture fixture;
    final Guest guest;
    final TestCq cq;
    final long rings;
    final QueueGeometry geometry;
    final int qpn;
    final int slot;
    final SendRing sends;
    final ReceiveRing receives;
    int psn = 0xfffffe;
    /** Of the path, from the next connecting on. */
    int staticRate;

    TestQp(HcaFixture fixture, Guest guest, TestCq cq, QpLimits limits, int weight) {
        this(fixture, guest, cq, limits, weight, 0);
    }

    /** One that takes its receives from the shared queue of that number. */
    TestQp(HcaFixture fixture, Guest guest, TestCq cq, QpLimits limits, int weight, int srqn) {
        this(fixture, guest, QpType.RC, cq, limits, weight, srqn);
    }

    private TestQp(HcaFixture fixture, Guest guest, QpType type, TestCq cq, QpLimits limits, int weight, int srqn) {
        this.fixture = fixture;
        this.guest = guest;
        this.cq = cq;
        this.geometry = QueueGeometry.of(limits);
        this.rings = fixture.allocate(geometry.totalBytes());
        HcaCommands.Slotted made = fixture.hca.createQp(
                new HcaCommands.QpInit(guest.uar, guest.pd, type, cq.number, cq.number, rings, limits, weight, srqn));
        assertThat(made.status()).isEqualTo(VerbsStatus.SUCCESS);
        this.qpn = made.number();
        this.slot = made.slot();
        this.sends = new SendRing(fixture.memory, rings, geometry);
        this.receives = new ReceiveRing(fixture.memory, rings, geometry);
    }

    TestQp(HcaFixture fixture, Guest guest) {
        this(fixture, guest, guest.cq(256), QpLimits.of(64, 64).withSge(4, 4), 1);
    }

    /** Of another transport with that queue for completions, in RESET. */
    static TestQp of(QpType type, HcaFixture fixture, Guest guest, TestCq cq, QpLimits limits) {
        return new TestQp(fixture, guest, type, cq, limits, 1, 0);
    }

    /** Of another transport, in RESET. */
    static TestQp of(QpType type, HcaFixture fixture, Guest guest) {
        return new TestQp(
                fixture, guest, type, guest.cq(256), QpLimits.of(64, 64).withSge(4, 4), 1, 0);
    }

    /** One of UD in RESET that takes its receives from the shared queue of that number. */
    static TestQp sharing(HcaFixture fixture, Guest guest, int srqn) {
        QpLimits limits = QpLimits.of(64, 0).withSge(4, 1);
        return new TestQp(fixture, guest, QpType.UD, guest.cq(64), limits, 1, srqn);
    }

    /** Connects two of UC, RESET to RTS. */
    static void connectUc(TestQp a, TestQp b) {
        a.init(HcaFixture.ALL_REMOTE);
        b.init(HcaFixture.ALL_REMOTE);
        a.modify(QpAttributes.toUcRtr(b.endpoint()).withStaticRate(a.staticRate));
        b.modify(QpAttributes.toUcRtr(a.endpoint()).withStaticRate(b.staticRate));
        a.modify(QpAttributes.toUnacknowledgedRts(a.psn));
        b.modify(QpAttributes.toUnacknowledgedRts(b.psn));
    }

    /** Takes one of UD from RESET to RTS. */
    void activate(int qkey) {
        modify(QpAttributes.toUdInit(qkey));
        modify(QpAttributes.to(QpState.RTR));
        modify(QpAttributes.toUnacknowledgedRts(psn));
    }

    /** Connects both ends, RESET to RTS, with retries that end. */
    static void connect(TestQp a, TestQp b) {
        connect(a, b, 2);
    }

    /** The same with so many transport retries. */
    static void connect(TestQp a, TestQp b, int retries) {
        a.init(HcaFixture.ALL_REMOTE);
        b.init(HcaFixture.ALL_REMOTE);
        a.rtr(b);
        b.rtr(a);
        a.rts(retries);
        b.rts(retries);
    }

    void modify(QpAttributes attributes) {
        HcaCommands.Outcome outcome = fixture.hca.modifyQp(qpn, attributes);
        assertThat(outcome.status()).as(outcome.message()).isEqualTo(VerbsStatus.SUCCESS);
    }

    void init(Set<Access> access) {
        modify(QpAttributes.toInit(access));
    }

    void rtr(TestQp peer) {
        modify(QpAttributes.toRtr(peer.endpoint()).withStaticRate(staticRate));
    }

    private Endpoint endpoint() {
        return new Endpoint(fixture.lid, qpn, psn, 0, 0, 0);
    }

    void rts() {
        rts(2);
    }

    private void rts(int retries) {
        modify(QpAttributes.toRts(psn)
                .with(QpAttribute.RETRY_CNT, retries)
                .with(QpAttribute.RNR_RETRY, 2)
                .with(QpAttribute.TIMEOUT, 10));
    }

    /** Changes one attribute of a connected queue pair, which drains for it. */
    void tune(QpAttribute attribute, long value) {
        modify(QpAttributes.to(QpState.SQD));
        modify(QpAttributes.none().with(attribute, value));
        modify(QpAttributes.to(QpState.RTS));
    }

    QpState state() {
        return fixture.hca.queryQp(qpn).state();
    }

    /** Fills the next slot; {@link #ring} publishes it. */
    long begin(long wrId, int opcode, int flags) {
        long wqe = sends.slot(0);
        SendWqeLayout.writeHead(fixture.memory, wqe, wrId, opcode, flags);
        return wqe;
    }

    void segment(long wqe, Buffer buffer, long offset, int length) {
        SendWqeLayout.writeSegmentCount(fixture.memory, wqe, 1);
        SendWqeLayout.writeSegment(fixture.memory, wqe, 0, buffer.address() + offset, length, buffer.lkey());
    }

    void ring() {
        sends.publish(1);
        guest.doorbell.ring(slot);
    }

    void send(long wrId, int flags, Buffer from, long offset, int length) {
        long wqe = begin(wrId, SendWqeLayout.OPCODE_SEND, flags);
        segment(wqe, from, offset, length);
        ring();
    }

    void datagram(long wrId, int ah, int toQpn, int qkey, int flags, Buffer from, int length) {
        long wqe = begin(wrId, SendWqeLayout.OPCODE_SEND, flags);
        SendWqeLayout.writeDestination(fixture.memory, wqe, ah, toQpn, qkey);
        segment(wqe, from, 0, length);
        ring();
    }

    /** Writes, reads: one local segment and a remote address. */
    void rdma(long wrId, int opcode, int flags, Buffer local, int length, long remote, int rkey) {
        long wqe = begin(wrId, opcode, flags);
        SendWqeLayout.writeRemote(fixture.memory, wqe, remote, rkey);
        segment(wqe, local, 0, length);
        ring();
    }

    void atomic(long wrId, int opcode, Buffer local, long remote, int rkey, long expected, long swap) {
        long wqe = begin(wrId, opcode, SIGNALLED);
        SendWqeLayout.writeRemote(fixture.memory, wqe, remote, rkey);
        SendWqeLayout.writeAtomic(fixture.memory, wqe, expected, swap);
        segment(wqe, local, 0, 8);
        ring();
    }

    void receive(long wrId, Buffer into, long offset, int length) {
        receive(wrId, into.address() + offset, length, into.lkey());
    }

    void receive(long wrId, long address, int length, int lkey) {
        long wqe = receives.slot(0);
        ReceiveWqeLayout.writeHead(fixture.memory, wqe, wrId);
        ReceiveWqeLayout.writeSegmentCount(fixture.memory, wqe, 1);
        ReceiveWqeLayout.writeSegment(fixture.memory, wqe, 0, address, length, lkey);
        receives.publish(1);
    }
}
