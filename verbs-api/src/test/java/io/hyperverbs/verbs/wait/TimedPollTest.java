package io.hyperverbs.verbs.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.verbs.TimedPoll;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.WorkCompletion;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class TimedPollTest {
    private static final WorkCompletion[] ONE = {new WorkCompletion()};
    private static final long STEP_NANOS = 100;

    private final AtomicLong now = new AtomicLong(-500);
    private final AtomicInteger polls = new AtomicInteger();
    // Each look at the clock is a step of time.
    private final TimedPoll timed = new TimedPoll(WaitingPolicy.yielding(), () -> now.getAndAdd(STEP_NANOS));

    private int nothing(WorkCompletion[] completions) {
        polls.incrementAndGet();
        return 0;
    }

    private int foundAt(int poll) {
        return polls.incrementAndGet() >= poll ? 1 : 0;
    }

    @Test
    void findsWhatIsThereWithoutWaiting() throws VerbsException {
        assertThat(timed.poll(_ -> foundAt(1), ONE, Duration.ofDays(1))).isEqualTo(1);
        assertThat(now).hasValue(-500);
    }

    @Test
    void findsWhatComesWhileItWaits() throws VerbsException {
        assertThat(timed.poll(_ -> foundAt(50), ONE, Duration.ofDays(1))).isEqualTo(1);
        assertThat(polls).hasValue(50);
    }

    @Test
    void givesUpWhenTimeIsOver() throws VerbsException {
        assertThat(timed.poll(this::nothing, ONE, Duration.ofNanos(1000))).isZero();
        // One before it waits, then one for each step up to the timeout.
        assertThat(polls).hasValue(1 + 1000 / (int) STEP_NANOS);
    }

    @Test
    void doesNotWaitWithoutTime() throws VerbsException {
        assertThat(timed.poll(this::nothing, ONE, Duration.ZERO)).isZero();
        assertThat(timed.poll(this::nothing, ONE, Duration.ofSeconds(-1))).isZero();
        assertThat(polls).hasValue(2);
    }

    @Test
    void endsByAnInterrupt() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> timed.poll(this::nothing, ONE, Duration.ofDays(365L * 1000)))
                .hasMessageStartingWith("EINTR");
        assertThat(Thread.interrupted()).isTrue();
    }
}
