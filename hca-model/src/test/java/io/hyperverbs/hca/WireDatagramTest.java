package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.HcaFixture.Guest;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.Grh;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.UdQueuePair;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/** Datagrams between two HCAs. */
class WireDatagramTest {
    private static final int QKEY = 0x1234;
    private static final int BYTES = 4096;
    private static final Gid GROUP = new Gid(0xff12_0000_0000_0000L, 7);
    private static final int MLID = 0xc005;

    private final WireFixture wire = new WireFixture(1);
    private final Guest left = wire.a.guest(1);
    private final Guest right = wire.b.guest(1);
    private final TestQp a = TestQp.of(QpType.UD, wire.a, left);
    private final TestQp b = TestQp.of(QpType.UD, wire.b, right);
    private final Buffer from = left.buffer(BYTES);
    private final Buffer to = right.buffer(BYTES + Grh.SIZE_BYTES);

    WireDatagramTest() {
        a.activate(QKEY);
        b.activate(QKEY);
        for (int i = 0; i < BYTES; i++) {
            wire.a.memory.set(ValueLayout.JAVA_BYTE, from.machine() + i, (byte) (i * 7));
        }
    }

    private int handle(AddressAttributes address) {
        HcaCommands.Handled made = wire.a.hca.createAh(left.pd, address);
        assertThat(made.status()).as(made.message()).isEqualTo(VerbsStatus.SUCCESS);
        return made.number();
    }

    private void expectDatagram(TestQp receiver, Buffer into, HcaFixture hca, int bytes) {
        WorkCompletion got = receiver.cq.poll();
        assertThat(got).isNotNull();
        assertThat(got.status()).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(got.byteCount()).isEqualTo(bytes + Grh.SIZE_BYTES);
        assertThat(got.sourceQpn()).isEqualTo(a.qpn);
        assertThat(hca.memory
                        .asSlice(into.machine() + Grh.SIZE_BYTES, bytes)
                        .mismatch(wire.a.memory.asSlice(from.machine(), bytes)))
                .isEqualTo(-1);
    }

    @Test
    void reachAPortByItsLidAndByItsGid() {
        int byLid = handle(AddressAttributes.of(3));
        int byGid = handle(AddressAttributes.of(Gid.ofIpv4(WireFixture.B)));
        for (int handle : new int[] {byLid, byGid}) {
            b.receive(1, to, 0, BYTES + Grh.SIZE_BYTES);
            a.datagram(1, handle, b.qpn, QKEY, TestQp.SIGNALLED, from, 1001);
            wire.run();

            assertThat(a.cq.poll().status()).isEqualTo(VerbsStatus.SUCCESS);
            expectDatagram(b, to, wire.b, 1001);
            assertThat(Grh.source(wire.b.memory, to.machine())).isEqualTo(Gid.ofIpv4(WireFixture.A));
            assertThat(Grh.destination(wire.b.memory, to.machine())).isEqualTo(Gid.ofIpv4(WireFixture.B));
        }
    }

    @Test
    void withAWrongQkeyAreDropped() {
        b.receive(1, to, 0, BYTES);
        a.datagram(1, handle(AddressAttributes.of(3)), b.qpn, QKEY + 1, TestQp.SIGNALLED, from, 8);
        wire.run();

        assertThat(a.cq.poll().status()).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(b.cq.poll()).isNull();
        assertThat(wire.b.hca.queryPort(1).qkeyViolations()).isOne();
    }

    @Test
    void ofAGroupReachMembersOfEachHcaOnce() {
        TestQp own = TestQp.of(QpType.UD, wire.a, left);
        own.activate(QKEY);
        Buffer ownBuffer = left.buffer(BYTES);
        assertThat(wire.a.hca.attachMulticast(own.qpn, GROUP, MLID).status()).isEqualTo(VerbsStatus.SUCCESS);
        // Each HCA numbers its groups by itself.
        assertThat(wire.b.hca.attachMulticast(b.qpn, GROUP, MLID + 1).status()).isEqualTo(VerbsStatus.SUCCESS);
        own.receive(1, ownBuffer, 0, BYTES);
        own.receive(2, ownBuffer, 0, BYTES);
        b.receive(1, to, 0, BYTES);
        b.receive(2, to, 0, BYTES);
        int group = handle(AddressAttributes.ofGroup(GROUP, MLID));

        a.datagram(1, group, UdQueuePair.MULTICAST_QPN, QKEY, TestQp.SIGNALLED, from, 100);
        wire.run();

        assertThat(a.cq.poll().status()).isEqualTo(VerbsStatus.SUCCESS);
        expectDatagram(own, ownBuffer, wire.a, 100);
        expectDatagram(b, to, wire.b, 100);
        assertThat(own.cq.poll()).isNull();
        assertThat(b.cq.poll()).isNull();

        assertThat(wire.b.hca.detachMulticast(b.qpn, GROUP, MLID + 1)).isEqualTo(VerbsStatus.SUCCESS);
        a.datagram(2, group, UdQueuePair.MULTICAST_QPN, QKEY, TestQp.SIGNALLED, from, 100);
        wire.run();

        assertThat(b.cq.poll()).isNull();
        assertThat(wire.b.counter(Counter.RX_DROPPED_MESSAGES)).isZero();
    }
}
