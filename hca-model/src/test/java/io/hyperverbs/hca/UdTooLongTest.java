package io.hyperverbs.hca;

import static io.hyperverbs.hca.TestQp.SIGNALLED;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.UdQueuePair;
import org.junit.jupiter.api.Test;

/** Datagrams longer than the receive they find: whoever sends one harms nobody. */
class UdTooLongTest extends UdFixture {
    private void send(long wrId, AddressAttributes address, int qpn, int lengthBytes) {
        a.datagram(wrId, ah(guestA, address), qpn, QKEY, SIGNALLED, bufferA, lengthBytes);
        fixture.run();
    }

    private void send(long wrId, int qpn, int lengthBytes) {
        send(wrId, AddressAttributes.of(1), qpn, lengthBytes);
    }

    @Test
    void isDroppedAndCounted() {
        b.receive(70, bufferB, 0, 100);

        send(1, b.qpn, 61);

        assertThat(a.cq.drain()).containsExactly("SEND 1 SUCCESS");
        assertThat(b.cq.drain()).isEmpty();
        assertThat(b.state()).isEqualTo(QpState.RTS);
        assertThat(fixture.counter(Counter.RX_DROPPED_MESSAGES)).isEqualTo(1);
        assertThat(fixture.counter(Counter.RESP_LOCAL_LENGTH_ERROR)).isEqualTo(1);
        assertThat(fixture.counter(Counter.RESP_CQE_ERROR)).isZero();
        assertThat(fixture.events()).isEmpty();
    }

    @Test
    void leavesTheReceiveToTheNext() {
        b.receive(70, bufferB, 0, 100);
        b.receive(71, bufferB, 4096, 2048);

        send(1, b.qpn, 61);
        send(2, b.qpn, 60);
        send(3, b.qpn, 61);

        assertThat(b.cq.drain()).containsExactly("RECV 70 SUCCESS", "RECV 71 SUCCESS");
    }

    @Test
    void reachesTheMembersOfAGroupThatHaveRoom() {
        TestQp other = active(guestB);
        for (TestQp member : new TestQp[] {b, other}) {
            attach(member);
        }
        b.receive(70, bufferB, 0, 100);
        other.receive(80, bufferB, 4096, 400);

        send(1, AddressAttributes.ofGroup(GROUP, GROUP_LID), UdQueuePair.MULTICAST_QPN, 300);

        assertThat(a.cq.drain()).containsExactly("SEND 1 SUCCESS");
        assertThat(b.cq.drain()).isEmpty();
        assertThat(b.state()).isEqualTo(QpState.RTS);
        assertThat(other.cq.drain()).containsExactly("RECV 80 SUCCESS");
    }

    @Test
    void takesNothingFromASharedQueue() {
        TestSrq srq = new TestSrq(fixture, guestB, guestB.pd, 8, 2);
        TestQp first = TestQp.sharing(fixture, guestB, srq.srqn);
        TestQp second = TestQp.sharing(fixture, guestB, srq.srqn);
        first.activate(QKEY);
        second.activate(QKEY);
        srq.receive(100, bufferB, 0, 100);
        srq.receive(101, bufferB, 4096, 100);

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
        b.receive(70, bufferB, 0, 100);
        send(1, b.qpn, 61);

        b.modify(QpAttributes.to(QpState.ERR));
        fixture.run();

        assertThat(b.cq.drain()).containsExactly("RECV 70 WR_FLUSH_ERR");
    }
}
