package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.HcaFixture.Guest;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queue pairs whose packets a queue of the network marks. */
class WireCongestionTest {
    private static final int BYTES = 1 << 20;

    private final WireFixture wire = new WireFixture(3);
    private final Guest left = wire.a.guest(1);
    private final Guest right = wire.b.guest(1);
    private final Buffer from = left.buffer(BYTES);
    private final Buffer to = right.buffer(BYTES);

    private long nanosOfOneWrite(TestQp qp) {
        long begin = wire.a.now;
        qp.rdma(1, SendWqeLayout.OPCODE_RDMA_WRITE, TestQp.SIGNALLED, from, BYTES, to.address(), to.rkey());
        wire.run();
        WorkCompletion done = qp.cq.poll();
        for (int i = 0; done == null && i < 1_000_000; i++) {
            wire.pass(1_000);
            done = qp.cq.poll();
        }
        assertThat(done).isNotNull();
        assertThat(done.status()).isEqualTo(VerbsStatus.SUCCESS);
        return wire.a.now - begin;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void markedPacketsSlowTheirSenderDownAndNobodyElse(boolean isReliable) {
        TestQp a = isReliable ? new TestQp(wire.a, left) : TestQp.of(io.hyperverbs.verbs.QpType.UC, wire.a, left);
        TestQp b = isReliable ? new TestQp(wire.b, right) : TestQp.of(io.hyperverbs.verbs.QpType.UC, wire.b, right);
        TestQp other = new TestQp(wire.a, left);
        TestQp otherPeer = new TestQp(wire.b, right);
        if (isReliable) {
            TestQp.connect(a, b);
        } else {
            TestQp.connectUc(a, b);
        }
        TestQp.connect(other, otherPeer);
        assertThat(nanosOfOneWrite(a)).isZero();

        wire.network.congest(0.5);
        for (int i = 0; i < 20; i++) {
            long _ = nanosOfOneWrite(a);
        }
        wire.network.congest(0);

        assertThat(wire.b.counter(Counter.NP_ECN_MARKED_ROCE_PACKETS)).isGreaterThan(1000);
        assertThat(wire.b.counter(Counter.NP_CNP_SENT)).isBetween(2L, 1000L);
        assertThat(wire.a.counter(Counter.RP_CNP_HANDLED)).isEqualTo(wire.b.counter(Counter.NP_CNP_SENT));
        // A megabyte at 40 Gbit/s takes 0.2 ms.
        assertThat(nanosOfOneWrite(a)).isGreaterThan(1_000_000);
        assertThat(nanosOfOneWrite(other)).isZero();
    }
}
