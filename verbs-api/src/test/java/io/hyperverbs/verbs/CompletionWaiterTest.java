package io.hyperverbs.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class CompletionWaiterTest {
    private static final Duration LONG = Duration.ofDays(365L * 1000);
    private static final long STEP_NANOS = 100;
    private static final long WAKE_NANOS = 20_000;
    private static final long MOST_NANOS = CompletionWaiter.MOST_POLLING.toNanos();

    private final WorkCompletion[] one = {new WorkCompletion()};
    private final Hca hca = new Hca();
    private final CompletionWaiter waiter = new CompletionWaiter(hca, hca.channel, hca::now);

    @Test
    void takesWhatIsThereWithoutALookAtTheClock() throws VerbsException {
        hca.completeAt(0);

        assertThat(waiter.await(one, LONG)).isEqualTo(1);
        assertThat(hca.now).isZero();
        assertThat(waiter.await(one, Duration.ZERO)).isZero();
    }

    @Test
    void polls() throws VerbsException {
        hca.completeAt(MOST_NANOS / 2);

        assertThat(waiter.await(one, LONG)).isEqualTo(1);
        assertThat(hca.sleeps).isZero();
        assertThat(hca.arms).isZero();
    }

    @Test
    void sleepsWhenPollingHasNotHelped() throws VerbsException {
        hca.completeAt(10 * MOST_NANOS);

        assertThat(waiter.await(one, LONG)).isEqualTo(1);
        assertThat(hca.now).isBetween(10 * MOST_NANOS, 10 * MOST_NANOS + WAKE_NANOS + 10 * STEP_NANOS);
        assertThat(hca.sleeps).isEqualTo(1);
        assertThat(hca.unacknowledged).isZero();
    }

    @Test
    void takesTheEventOfWhatItHasPolledForNothing() throws VerbsException {
        hca.onArm = () -> hca.completeAt(hca.now);
        assertThat(waiter.await(one, LONG)).isEqualTo(1);
        assertThat(hca.sleeps).isZero();

        hca.onArm = () -> {};
        long later = hca.now + 5 * MOST_NANOS;
        hca.completeAt(later);
        assertThat(waiter.await(one, LONG)).isEqualTo(1);
        assertThat(hca.now).isBetween(later, later + 2 * WAKE_NANOS);
    }

    @Test
    void givesUpWhenTimeIsOver() throws VerbsException {
        assertThat(waiter.await(one, Duration.ofNanos(5 * STEP_NANOS))).isZero();
        assertThat(hca.now).isLessThan(10 * STEP_NANOS);
        long before = hca.now;

        assertThat(waiter.await(one, Duration.ofMillis(2))).isZero();
        assertThat(hca.now - before).isBetween(2_000_000L, 2_000_000L + 10 * STEP_NANOS);
    }

    @Test
    void pollsLessAfterLongWaitsAndMoreAfterShortOnes() throws VerbsException {
        for (int wait = 0; wait < 10; wait++) {
            hca.completeAt(hca.now + 20 * MOST_NANOS);
            waiter.await(one, LONG);
        }
        assertThat(waiter.polling()).isZero();

        for (int wait = 0; wait < 10; wait++) {
            hca.completeAt(hca.now + MOST_NANOS / 2);
            waiter.await(one, LONG);
        }
        assertThat(waiter.polling()).isGreaterThanOrEqualTo(Duration.ofNanos(MOST_NANOS / 2));
        int slept = hca.sleeps;
        hca.completeAt(hca.now + MOST_NANOS / 2);
        waiter.await(one, LONG);
        assertThat(hca.sleeps).isEqualTo(slept);
    }

    @Test
    void noCompletionWaitsForMoreThanAWakeUp() throws VerbsException {
        SplittableRandom random = new SplittableRandom(20061125);
        long arrival = 0;
        for (int i = 0; i < 3_000; i++) {
            arrival += random.nextInt(4) == 0 ? random.nextLong(20 * MOST_NANOS) : random.nextLong(MOST_NANOS);
            hca.completeAt(arrival);
            if (random.nextBoolean()) {
                long due = Math.max(arrival, hca.now);
                int found = waiter.await(one, LONG);
                while (hca.size() > 0) {
                    due = Math.max(due, hca.now);
                    found += waiter.await(one, LONG);
                }
                assertThat(found).isPositive();
                assertThat(hca.now - due).as("completion %d", i).isLessThan(2 * WAKE_NANOS + 20 * STEP_NANOS);
            }
        }
        assertThat(hca.unacknowledged).isZero();
    }

    @Test
    void endsByAnInterruptAndWithoutAChannel() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> waiter.await(one, LONG)).hasMessageStartingWith("EINTR");
        assertThat(Thread.interrupted()).isTrue();

        hca.armStatus = VerbsStatus.EINVAL;
        assertThatThrownBy(() -> waiter.await(one, LONG)).hasMessageStartingWith("EINVAL");
    }

    /** A queue whose completions come at given times; each look at the clock is a step of time. */
    private static final class Hca implements CompletionQueue {
        private final ArrayDeque<Long> arrivals = new ArrayDeque<>();
        private final EventChannel channel = new EventChannel();
        private Runnable onArm = () -> {};
        private VerbsStatus armStatus = VerbsStatus.SUCCESS;
        private long now;
        private int arms;
        private int sleeps;
        private int events;
        private int unacknowledged;
        // Arrivals that raise no event any more.
        private int seen;
        private boolean isArmed;

        void completeAt(long nanos) {
            arrivals.add(nanos);
        }

        int size() {
            return arrivals.size();
        }

        long now() {
            passTo(now + STEP_NANOS);
            return now;
        }

        private int arrived() {
            return (int) arrivals.stream().filter(at -> at <= now).count();
        }

        private void passTo(long later) {
            now = later;
            raise();
        }

        private void raise() {
            if (arrived() > seen) {
                seen = arrived();
                if (isArmed) {
                    isArmed = false;
                    events++;
                }
            }
        }

        @Override
        public int poll(WorkCompletion[] completions) {
            raise();
            if (arrived() == 0) {
                return 0;
            }
            arrivals.remove();
            seen--;
            return 1;
        }

        @Override
        public VerbsStatus arm(boolean solicitedOnly) {
            arms++;
            isArmed = true;
            // As the HCA does for what is beyond the consumer index.
            seen = 0;
            onArm.run();
            raise();
            return armStatus;
        }

        @Override
        public Context context() {
            throw new UnsupportedOperationException();
        }

        @Override
        public int capacity() {
            return 1;
        }

        @Override
        public void resize(int entries) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void moderate(int count, int periodMicros) {
            throw new UnsupportedOperationException();
        }

        @Override
        public String describe() {
            return "cq 1";
        }

        @Override
        public void close() {}

        private final class EventChannel implements CompletionChannel {
            @Override
            public Optional<CompletionQueue> await(Duration timeout) {
                if (events == 0) {
                    sleeps++;
                    Optional<Long> next =
                            arrivals.stream().filter(at -> at > now).findFirst();
                    if (isArmed && next.isPresent() && next.get() - now <= timeout.toNanos()) {
                        passTo(next.get() + WAKE_NANOS);
                    } else {
                        passTo(now + timeout.toNanos());
                        return Optional.empty();
                    }
                }
                events--;
                unacknowledged++;
                return Optional.of(Hca.this);
            }

            @Override
            public void acknowledge(CompletionQueue queue, int count) {
                unacknowledged -= count;
            }

            @Override
            public String describe() {
                return "channel 1";
            }

            @Override
            public void close() {}
        }
    }
}
