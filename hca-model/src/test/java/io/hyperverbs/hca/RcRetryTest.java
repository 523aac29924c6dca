package io.hyperverbs.hca;

import static io.hyperverbs.hca.QpPair.TICK_NANOS;
import static io.hyperverbs.hca.QpPair.TIMEOUT_NANOS;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Retries within one HCA. */
class RcRetryTest extends RetryContract<PairFixture> {
    private final HcaFixture fixture = pair.fixture;

    RcRetryTest() {
        super(new PairFixture(QpType.RC, 4096));
    }

    @Test
    void doorbellsDoNotShortenTheRnrDelay() {
        TestQp.connect(a, b);
        send();
        b.receive(70, pair.bufferB, 0, 8);

        a.guest.doorbell.ring(a.slot);
        fixture.run();

        assertThat(a.cq.poll()).isNull();
    }

    @Test
    void aSendWithoutAReceiveFailsByDefaultAfterASecond() {
        TestQp.connect(a, b);
        a.tune(QpAttribute.RNR_RETRY, QpAttributes.toRts(0).get(QpAttribute.RNR_RETRY));
        send();

        long total = LongStream.of(RNR_WAITS_NANOS).sum();
        assertThat(total).isEqualTo(1_155_200_000);
        pair.step(total - TICK_NANOS);
        assertThat(a.cq.poll()).isNull();
        // Each of the six timers fires within a tick of its deadline.
        pair.step(16 * TICK_NANOS);
        assertThat(a.cq.poll().explain()).startsWith("RNR_RETRY_EXC_ERR");
    }

    @ParameterizedTest
    @ValueSource(longs = {100_000, 2_000_000, 30_000_000, 200_000_000})
    void aLateReceiveIsMetWithinFiveTimesItsDelay(long lateNanos) {
        TestQp.connect(a, b);
        a.tune(QpAttribute.RNR_RETRY, 6);
        send();
        pair.step(lateNanos);
        assertThat(a.cq.poll()).isNull();

        b.receive(70, pair.bufferB, 0, 8);
        pair.step(4 * lateNanos + 640_000 + 12 * TICK_NANOS);

        assertThat(a.cq.drain()).containsExactly("SEND 7 SUCCESS");
    }

    @Test
    void progressGivesAllRnrRetriesBack() {
        TestQp.connect(a, b);
        for (int message = 0; message < 5; message++) {
            send();
            fixture.pass(640_000 + 2 * TICK_NANOS);
            b.receive(70, pair.bufferB, 0, 8);
            fixture.pass(3_200_000 + 2 * TICK_NANOS);
            assertThat(a.cq.drain()).containsExactly("SEND 7 SUCCESS");
        }
    }

    @Test
    void strangerIsNotHeard() {
        TestQp c = new TestQp(fixture, fixture.guest(3));
        TestQp.connect(b, c);
        a.init(HcaFixture.ALL_REMOTE);
        a.rtr(b);
        a.rts();
        b.receive(70, pair.bufferB, 0, 8);

        expectSilence();

        assertThat(b.cq.poll()).isNull();
        assertThat(b.state()).isEqualTo(QpState.RTS);
        assertThat(fixture.counter(Counter.UNCONNECTED_REQUESTS)).isEqualTo(3);
    }

    @Test
    void timeoutZeroWaitsForEver() {
        TestQp.connect(a, b);
        a.tune(QpAttribute.TIMEOUT, 0);
        b.modify(QpAttributes.to(QpState.RESET));
        send();

        fixture.pass(1_000_000_000_000L);

        assertThat(a.cq.poll()).isNull();
        a.modify(QpAttributes.to(QpState.ERR));
        fixture.run();
        assertThat(a.cq.drain()).containsExactly("SEND 7 WR_FLUSH_ERR");
    }

    @Test
    void sevenRetriesAreForEver() {
        TestQp.connect(a, b);
        a.tune(QpAttribute.RETRY_CNT, 7);
        b.modify(QpAttributes.to(QpState.RESET));
        send();

        for (int i = 0; i < 50; i++) {
            fixture.pass(TIMEOUT_NANOS + 2 * TICK_NANOS);
        }

        assertThat(a.cq.poll()).isNull();
        assertThat(a.state()).isEqualTo(QpState.RTS);
    }

    @Test
    void requestsBehindASilentOneFlush() {
        TestQp.connect(a, b);
        fixture.hca.destroyQp(b.qpn);
        a.send(7, 0, pair.bufferA, 0, 8);
        a.rdma(8, SendWqeLayout.OPCODE_RDMA_WRITE, 0, pair.bufferA, 8, 0, 0);
        fixture.run();

        for (int i = 0; i < 3; i++) {
            fixture.pass(TIMEOUT_NANOS + 2 * TICK_NANOS);
        }

        assertThat(a.cq.drain()).containsExactly("SEND 7 RETRY_EXC_ERR", "RDMA_WRITE 8 WR_FLUSH_ERR");
    }
}
