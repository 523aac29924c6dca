package io.hyperverbs.hca;

import static io.hyperverbs.hca.TestQp.SIGNALLED;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Messages of UC between two domains: what is counted when they are dropped, and the first event. */
class UcTest extends PairFixture {
    UcTest() {
        super(QpType.UC, 1 << 18);
    }

    @BeforeEach
    void connect() {
        TestQp.connectUc(a, b);
        fill();
    }

    private void send(long wrId, int length) {
        a.send(wrId, SIGNALLED, bufferA, 0, length);
        fixture.run();
    }

    private void write(long wrId, int opcode, int length, long remote, int rkey) {
        a.rdma(wrId, opcode, SIGNALLED, bufferA, length, remote, rkey);
        fixture.run();
    }

    private void assertUntouched() {
        assertThat(memory.asSlice(bufferB.machine(), bufferB.bytes()).mismatch(fixture.zeros(bufferB.bytes())))
                .isEqualTo(-1);
    }

    private long dropped() {
        return fixture.counter(Counter.RX_DROPPED_MESSAGES);
    }

    @Nested
    class Arriving {
        @Test
        void firstMessageInRtrRaisesCommEst() {
            TestQp c = TestQp.of(QpType.UC, fixture, guestA);
            TestQp d = TestQp.of(QpType.UC, fixture, guestB);
            c.init(HcaFixture.ALL_REMOTE);
            d.init(HcaFixture.ALL_REMOTE);
            c.modify(QpAttributes.toUcRtr(new Endpoint(1, d.qpn, d.psn, 0, 0, 0)));
            d.modify(QpAttributes.toUcRtr(new Endpoint(1, c.qpn, c.psn, 0, 0, 0)));
            c.modify(QpAttributes.toUnacknowledgedRts(c.psn));
            d.receive(70, bufferB, 0, 64);

            c.send(7, SIGNALLED, bufferA, 0, 8);
            c.send(8, SIGNALLED, bufferA, 0, 8);
            fixture.run();

            assertThat(fixture.events()).containsExactly("COMM_EST " + d.qpn);
            assertThat(d.cq.drain()).containsExactly("RECV 70 SUCCESS");
        }
    }

    @Nested
    class Dropped {
        @Test
        void messageWithoutReceiveAndTheNextOneArrives() {
            send(1, 8);
            b.receive(70, bufferB, 0, 64);

            send(2, 16);

            assertThat(a.cq.drain()).containsExactly("SEND 1 SUCCESS", "SEND 2 SUCCESS");
            assertThat(b.cq.poll().byteCount()).isEqualTo(16);
            assertThat(b.cq.poll()).isNull();
            assertThat(dropped()).isEqualTo(1);
            assertThat(fixture.counter(Counter.OUT_OF_BUFFER)).isEqualTo(1);
        }

        @Test
        void writeWithImmediateWithoutReceiveAndItsData() {
            write(1, SendWqeLayout.OPCODE_RDMA_WRITE_WITH_IMM, 64, bufferB.address(), bufferB.rkey());

            assertThat(a.cq.drain()).containsExactly("RDMA_WRITE 1 SUCCESS");
            assertUntouched();
            assertThat(dropped()).isEqualTo(1);
        }

        @Test
        void writeThatTheRegionDoesNotAllow() {
            Buffer readable = guestB.buffer(4096, guestB.pd, Set.of(Access.LOCAL_WRITE, Access.REMOTE_READ));
            int write = SendWqeLayout.OPCODE_RDMA_WRITE;

            write(1, write, 64, bufferB.address(), bufferB.rkey() ^ 0x100);
            write(2, write, 64, bufferB.address() + bufferB.bytes() - 63, bufferB.rkey());
            write(3, write, 64, readable.address(), readable.rkey());

            assertThat(a.cq.drain())
                    .containsExactly("RDMA_WRITE 1 SUCCESS", "RDMA_WRITE 2 SUCCESS", "RDMA_WRITE 3 SUCCESS");
            assertUntouched();
            assertThat(dropped()).isEqualTo(3);
            assertThat(fixture.counter(Counter.RESP_REMOTE_ACCESS_ERRORS)).isEqualTo(3);
            assertThat(a.state()).isEqualTo(QpState.RTS);
            assertThat(b.state()).isEqualTo(QpState.RTS);
            assertThat(fixture.events()).isEmpty();
        }

        @Test
        void writeThatTheQueuePairDoesNotAllow() {
            b.modify(QpAttributes.none().with(QpAttribute.ACCESS_FLAGS, Access.REMOTE_READ.bit()));

            write(1, SendWqeLayout.OPCODE_RDMA_WRITE, 64, bufferB.address(), bufferB.rkey());

            assertUntouched();
            assertThat(dropped()).isEqualTo(1);
        }

        @Test
        void nothingForAGapInTheSequence() {
            a.modify(QpAttributes.to(QpState.RESET));
            a.init(HcaFixture.ALL_REMOTE);
            a.modify(QpAttributes.toUcRtr(new Endpoint(1, b.qpn, b.psn, 0, 0, 0)));
            a.modify(QpAttributes.toUnacknowledgedRts(a.psn + 100 & 0xff_ffff));
            b.receive(70, bufferB, 0, 64);

            send(1, 8);

            assertThat(b.cq.drain()).containsExactly("RECV 70 SUCCESS");
            assertThat(fixture.counter(Counter.OUT_OF_SEQUENCE)).isEqualTo(1);
            assertThat(dropped()).isZero();
        }

        @Test
        void strangersAreNotHeard() {
            TestQp stranger = TestQp.of(QpType.UC, fixture, guestA);
            TestQp.connectUc(stranger, TestQp.of(QpType.UC, fixture, guestA));
            stranger.modify(QpAttributes.to(QpState.RESET));
            stranger.init(HcaFixture.ALL_REMOTE);
            stranger.modify(QpAttributes.toUcRtr(new Endpoint(1, b.qpn, b.psn, 0, 0, 0)));
            stranger.modify(QpAttributes.toUnacknowledgedRts(a.psn));
            b.receive(70, bufferB, 0, 64);

            stranger.send(1, SIGNALLED, bufferA, 0, 8);
            fixture.run();

            assertThat(stranger.cq.drain()).containsExactly("SEND 1 SUCCESS");
            assertThat(b.cq.poll()).isNull();
            assertThat(fixture.counter(Counter.UNCONNECTED_REQUESTS)).isEqualTo(1);
        }
    }
}
