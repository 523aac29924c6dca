package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.HcaFixture.Guest;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.VerbsStatus;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A failure that is no queue pair's: the HCA stops serving, but everyone hears of it. */
class EngineFailureTest {
    private final HcaFixture fixture = new HcaFixture();
    private Guest guestA;
    private Guest guestB;
    private TestQp a;
    private TestQp b;
    private TestQp idle;
    private Buffer buffer;

    @BeforeEach
    void fail() {
        guestA = fixture.guest(1);
        guestB = fixture.guest(2);
        a = new TestQp(fixture, guestA);
        b = new TestQp(fixture, guestB);
        idle = new TestQp(fixture, guestB);
        TestQp.connect(a, b);
        buffer = guestA.buffer(64);
        Buffer target = guestB.buffer(64);
        b.receive(5, target, 0, 64);
        b.receive(6, target, 0, 64);
        b.cq.arm(false);
        fixture.run();
        fixture.breakLine();
        a.send(1, TestQp.SIGNALLED, buffer, 0, 8);
        fixture.run();
    }

    @Test
    void everyContextGetsDeviceFatal() {
        assertThat(fixture.hca.hasFailed()).isTrue();
        assertThat(fixture.events())
                .contains("DEVICE_FATAL 0")
                .filteredOn(event -> event.startsWith("DEVICE_FATAL"))
                .hasSize(2);
        assertThat(fixture.counter(Counter.ENGINE_FAULTS)).isEqualTo(1);
    }

    @Test
    void queuePairsGoToErrAndFlush() {
        assertThat(a.state()).isEqualTo(QpState.ERR);
        assertThat(b.state()).isEqualTo(QpState.ERR);
        assertThat(idle.state()).isEqualTo(QpState.RESET);
        assertThat(a.cq.drain()).containsExactly("SEND 1 SUCCESS");
        assertThat(b.cq.drain()).containsExactly("RECV 5 SUCCESS", "RECV 6 WR_FLUSH_ERR");
    }

    @Test
    void laterPostsFlush() {
        a.cq.drain();

        a.send(2, TestQp.SIGNALLED, buffer, 0, 8);
        fixture.run();

        assertThat(a.cq.drain()).containsExactly("SEND 2 WR_FLUSH_ERR");
    }

    @Test
    void everythingCanBeDestroyed() {
        for (TestQp qp : new TestQp[] {a, b, idle}) {
            assertThat(fixture.hca.destroyQp(qp.qpn)).isEqualTo(VerbsStatus.SUCCESS);
        }
        assertThat(fixture.hca.destroyCq(a.cq.number)).isEqualTo(VerbsStatus.SUCCESS);
    }

    @Test
    void aSecondFailureIsCountedAndEndsNothing() {
        fixture.events();
        b.cq.arm(false);
        fixture.breakLine();
        a.cq.arm(false);
        a.send(2, TestQp.SIGNALLED, buffer, 0, 8);

        fixture.run();
        fixture.run();

        assertThat(fixture.counter(Counter.ENGINE_FAULTS)).isEqualTo(2);
        assertThat(a.cq.drain()).contains("SEND 2 WR_FLUSH_ERR");
    }
}
