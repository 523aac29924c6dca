package io.hyperverbs.backend.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ReadGateTest {
    private static final long MILLI = 1_000_000;

    private long nowNanos;
    private final ReadGate gate = new ReadGate(() -> nowNanos);
    private final EmbeddedChannel one = new EmbeddedChannel();
    private final EmbeddedChannel other = new EmbeddedChannel();

    ReadGateTest() {
        one.freezeTime();
        gate.add(one);
        gate.add(other);
    }

    private void pass(long millis) {
        nowNanos += millis * MILLI;
        one.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        one.runScheduledPendingTasks();
    }

    private boolean reads(EmbeddedChannel socket) {
        return socket.config().isAutoRead();
    }

    @Test
    void pausesAllSocketsOfTheDomainForATime() {
        gate.pause(one.eventLoop(), 10 * MILLI);
        assertThat(reads(one)).isFalse();
        assertThat(reads(other)).isFalse();

        pass(9);
        assertThat(reads(one)).isFalse();
        pass(1);

        assertThat(reads(one)).isTrue();
        assertThat(reads(other)).isTrue();
    }

    @Test
    void pausesWhatConnectsMeanwhile() {
        gate.pause(one.eventLoop(), 10 * MILLI);

        EmbeddedChannel late = new EmbeddedChannel();
        gate.add(late);

        assertThat(reads(late)).isFalse();
        pass(10);
        assertThat(reads(late)).isTrue();
    }

    @Test
    void lastsUntilTheLaterEnd() {
        gate.pause(one.eventLoop(), 10 * MILLI);
        gate.pause(one.eventLoop(), 30 * MILLI);
        gate.pause(one.eventLoop(), MILLI);

        pass(29);
        assertThat(reads(one)).isFalse();
        pass(1);

        assertThat(reads(one)).isTrue();
    }

    @Test
    void leavesWhoDoesNotReadUnreadAfterwards() {
        gate.pause(one.eventLoop(), 10 * MILLI);
        gate.stall(other, true);
        pass(10);

        assertThat(reads(one)).isTrue();
        assertThat(reads(other)).isFalse();
        gate.stall(other, false);
        assertThat(reads(other)).isTrue();
    }

    @Test
    void doesNotReadWhoReadsAgainBeforeTheEnd() {
        gate.stall(other, true);
        gate.pause(one.eventLoop(), 10 * MILLI);

        gate.stall(other, false);

        assertThat(reads(other)).isFalse();
    }
}
