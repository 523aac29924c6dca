package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.HcaFixture.Guest;
import io.hyperverbs.hca.layout.ContextMemoryLayout;
import io.hyperverbs.hca.layout.ContextMemoryLayout.Table;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.PortContextLayout;
import io.hyperverbs.hca.layout.QpContextLayout;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.hca.layout.TotalsLayout;
import io.hyperverbs.hca.layout.TotalsLayout.Traffic;
import io.hyperverbs.hca.layout.UarContextLayout;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.VerbsStatus;
import org.junit.jupiter.api.Test;

/** What a queue pair counts is its own while it lives, and its port's and context's for ever. */
class CounterTotalsTest {
    private final HcaFixture fixture = new HcaFixture();
    private final Guest guest = fixture.guest(1);
    private final Guest other = fixture.guest(2);
    private final TestQp a = new TestQp(fixture, guest);
    private final TestQp b = new TestQp(fixture, other);

    private long entry(TestQp qp) {
        for (int i = 0; ; i++) {
            long entry = ContextMemoryLayout.entry(fixture.memory, fixture.contexts, Table.QP, i);
            if (QpContextLayout.get(fixture.memory, entry, QpContextLayout.Field.QPN) == qp.qpn) {
                return entry;
            }
        }
    }

    private long own(TestQp qp, Counter counter) {
        return QpContextLayout.counter(fixture.memory, entry(qp), counter);
    }

    private long portTotals(int port) {
        return PortContextLayout.totals(ContextMemoryLayout.port(fixture.contexts, port));
    }

    private long uarTotals(Guest of) {
        return UarContextLayout.totals(
                ContextMemoryLayout.entry(fixture.memory, fixture.contexts, Table.UAR, of.uar - 1));
    }

    private void badWrite() {
        Buffer source = guest.buffer(64);
        TestQp.connect(a, b);
        a.rdma(1, SendWqeLayout.OPCODE_RDMA_WRITE, TestQp.SIGNALLED, source, 8, 0x1234, 0x5678);
        fixture.run();
        assertThat(a.cq.drain()).containsExactly("RDMA_WRITE 1 REM_ACCESS_ERR");
    }

    @Test
    void countsForTheQueuePairThatItHappenedTo() {
        badWrite();

        assertThat(own(a, Counter.REQ_REMOTE_ACCESS_ERRORS)).isEqualTo(1);
        assertThat(own(a, Counter.RESP_REMOTE_ACCESS_ERRORS)).isZero();
        assertThat(own(b, Counter.RESP_REMOTE_ACCESS_ERRORS)).isEqualTo(1);
        assertThat(fixture.counter(Counter.RESP_REMOTE_ACCESS_ERRORS)).isEqualTo(1);
    }

    @Test
    void countersOutliveTheirQueuePair() {
        badWrite();

        assertThat(fixture.hca.destroyQp(a.qpn)).isEqualTo(VerbsStatus.SUCCESS);

        for (long totals : new long[] {portTotals(1), uarTotals(guest)}) {
            assertThat(TotalsLayout.get(fixture.memory, totals, Counter.REQ_REMOTE_ACCESS_ERRORS))
                    .isEqualTo(1);
        }
        assertThat(TotalsLayout.get(fixture.memory, uarTotals(other), Counter.RESP_REMOTE_ACCESS_ERRORS))
                .isZero();
    }

    @Test
    void trafficOutlivesItsQueuePairToo() {
        Buffer source = guest.buffer(64);
        Buffer target = other.buffer(64);
        TestQp.connect(a, b);
        a.rdma(1, SendWqeLayout.OPCODE_RDMA_WRITE, TestQp.SIGNALLED, source, 8, target.address(), target.rkey());
        fixture.run();

        fixture.hca.destroyQp(a.qpn);
        fixture.hca.destroyQp(b.qpn);

        assertThat(TotalsLayout.get(fixture.memory, uarTotals(guest), Traffic.TX_MESSAGES))
                .isEqualTo(1);
        assertThat(TotalsLayout.get(fixture.memory, uarTotals(guest), Traffic.TX_BYTES))
                .isEqualTo(8);
        assertThat(TotalsLayout.get(fixture.memory, uarTotals(other), Traffic.RX_BYTES))
                .isEqualTo(8);
        assertThat(TotalsLayout.get(fixture.memory, portTotals(1), Traffic.RX_MESSAGES))
                .isEqualTo(1);
    }

    @Test
    void anotherPortBeginsAnew() {
        badWrite();
        a.modify(QpAttributes.to(QpState.RESET));
        assertThat(own(a, Counter.REQ_REMOTE_ACCESS_ERRORS)).isEqualTo(1);

        a.modify(QpAttributes.toInit(HcaFixture.ALL_REMOTE).with(QpAttribute.PORT, 2));

        assertThat(own(a, Counter.REQ_REMOTE_ACCESS_ERRORS)).isZero();
        assertThat(TotalsLayout.get(fixture.memory, portTotals(1), Counter.REQ_REMOTE_ACCESS_ERRORS))
                .isEqualTo(1);
        assertThat(TotalsLayout.get(fixture.memory, portTotals(2), Counter.REQ_REMOTE_ACCESS_ERRORS))
                .isZero();
    }
}
