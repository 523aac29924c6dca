package io.hyperverbs.backend.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StalledReaderTest {
    private static final int PILE_BYTES = 1 << 20;

    private int exceeded;
    private final EmbeddedChannel connection = new EmbeddedChannel(
            new StalledReader(new ReadGate(System::nanoTime), Duration.ofSeconds(30), () -> exceeded++));

    StalledReaderTest() {
        connection.freezeTime();
    }

    @Test
    void isNotReadWhileItDoesNotRead() {
        var _ = connection.write(Unpooled.wrappedBuffer(new byte[PILE_BYTES]));
        assertThat(connection.config().isAutoRead()).isFalse();

        connection.flush();

        assertThat(connection.config().isAutoRead()).isTrue();
        pass(60);
        assertThat(connection.isOpen()).isTrue();
    }

    @Test
    void isClosedWhenItReadsNothingForTooLong() {
        var _ = connection.write(Unpooled.wrappedBuffer(new byte[PILE_BYTES]));

        pass(29);
        assertThat(connection.isOpen()).isTrue();
        pass(2);

        assertThat(connection.isOpen()).isFalse();
        assertThat(exceeded).isEqualTo(1);
    }

    @Test
    void ofAConnectionThatEndedIsForgotten() {
        var _ = connection.write(Unpooled.wrappedBuffer(new byte[PILE_BYTES]));
        var _ = connection.close();

        pass(60);

        await().until(() -> !connection.isOpen());
        assertThat(exceeded).isZero();
    }

    private void pass(long seconds) {
        connection.advanceTimeBy(seconds, TimeUnit.SECONDS);
        connection.runScheduledPendingTasks();
    }
}
