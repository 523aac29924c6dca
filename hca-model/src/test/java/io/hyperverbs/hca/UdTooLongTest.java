package io.hyperverbs.hca;

import static io.hyperverbs.hca.TestQp.SIGNALLED;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.UdQueuePair;
import io.hyperverbs.verbs.VerbsStatus;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Datagrams longer than the receive they find: whoever sends one harms nobody. */
class UdTooLongTest {
    private static final int QKEY = 0x11;
    private static final Gid GROUP = new Gid(0xff12_401b_ffff_0000L, 0x1234);
    private static final int GROUP_LID = 0xc001;

    private final HcaFixture fixture = new HcaFixture();
    private HcaFixture.Guest sender;
    private HcaFixture.Guest receiver;
    private TestQp from;
    private TestQp to;
    private Buffer bytes;
    private Buffer room;

    @BeforeEach
    void activate() {
        sender = fixture.guest(1);
        receiver = fixture.guest(2);
        from = active(sender);
        to = active(receiver);
        bytes = sender.buffer(1 << 16);
        room = receiver.buffer(1 << 16);
    }

    private TestQp active(HcaFixture.Guest guest) {
        TestQp qp = TestQp.of(QpType.UD, fixture, guest);
        qp.activate(QKEY);
        return qp;
    }

    private int ah(AddressAttributes address) {
        return fixture.hca.createAh(sender.pd, address).number();
    }

    private void send(long wrId, AddressAttributes address, int qpn, int lengthBytes) {
        from.datagram(wrId, ah(address), qpn, QKEY, SIGNALLED, bytes, lengthBytes);
        fixture.run();
    }

    private void send(long wrId, int qpn, int lengthBytes) {
        send(wrId, AddressAttributes.of(1), qpn, lengthBytes);
    }

    @Test
    void isDroppedAndCounted() {
        to.receive(70, room, 0, 100);

        send(1, to.qpn, 61);

        assertThat(from.cq.drain()).containsExactly("SEND 1 SUCCESS");
        assertThat(to.cq.drain()).isEmpty();
        assertThat(to.state()).isEqualTo(QpState.RTS);
        assertThat(fixture.counter(Counter.RX_DROPPED_MESSAGES)).isEqualTo(1);
        assertThat(fixture.counter(Counter.RESP_LOCAL_LENGTH_ERROR)).isEqualTo(1);
        assertThat(fixture.counter(Counter.RESP_CQE_ERROR)).isZero();
        assertThat(fixture.events()).isEmpty();
    }

    @Test
    void leavesTheReceiveToTheNext() {
        to.receive(70, room, 0, 100);
        to.receive(71, room, 4096, 2048);

        send(1, to.qpn, 61);
        send(2, to.qpn, 60);
        send(3, to.qpn, 61);

        assertThat(to.cq.drain()).containsExactly("RECV 70 SUCCESS", "RECV 71 SUCCESS");
    }

    @Test
    void reachesTheMembersOfAGroupThatHaveRoom() {
        TestQp other = active(receiver);
        for (TestQp member : new TestQp[] {to, other}) {
            assertThat(fixture.hca.attachMulticast(member.qpn, GROUP, GROUP_LID).status())
                    .isEqualTo(VerbsStatus.SUCCESS);
        }
        to.receive(70, room, 0, 100);
        other.receive(80, room, 4096, 400);

        send(1, AddressAttributes.ofGroup(GROUP, GROUP_LID), UdQueuePair.MULTICAST_QPN, 300);

        assertThat(from.cq.drain()).containsExactly("SEND 1 SUCCESS");
        assertThat(to.cq.drain()).isEmpty();
        assertThat(to.state()).isEqualTo(QpState.RTS);
        assertThat(other.cq.drain()).containsExactly("RECV 80 SUCCESS");
    }

    @Test
    void takesNothingFromASharedQueue() {
        TestSrq srq = new TestSrq(fixture, receiver, receiver.pd, 8, 2);
        TestQp first = TestQp.sharing(fixture, receiver, srq.srqn);
        TestQp second = TestQp.sharing(fixture, receiver, srq.srqn);
        first.activate(QKEY);
        second.activate(QKEY);
        srq.receive(100, room, 0, 100);
        srq.receive(101, room, 4096, 100);

        send(1, first.qpn, 61);
        send(2, second.qpn, 60);
        send(3, first.qpn, 60);

        assertThat(srq.head()).isEqualTo(2);
        assertThat(second.cq.drain()).containsExactly("RECV 100 SUCCESS");
        assertThat(first.cq.drain()).containsExactly("RECV 101 SUCCESS");
        assertThat(first.state()).isEqualTo(QpState.RTS);
    }

    @Test
    void isNotHeldWhenTheReceiverFails() {
        to.receive(70, room, 0, 100);
        send(1, to.qpn, 61);

        to.modify(io.hyperverbs.verbs.QpAttributes.to(QpState.ERR));
        fixture.run();

        assertThat(to.cq.drain()).containsExactly("RECV 70 WR_FLUSH_ERR");
    }
}
