package io.hyperverbs.vmm.posix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ThreadClockTest {
    @Test
    void goesOnWithWhatTheThreadDoes() {
        ThreadClock clock = new ThreadClock();
        long before = clock.cpuNanos();

        long now = before;
        while (now - before < 1_000_000) {
            now = clock.cpuNanos();
        }

        assertThat(now).isGreaterThan(before);
    }

    @Test
    void isAnotherForEachThread() {
        ThreadClock clock = new ThreadClock();
        long here = clock.cpuNanos();
        while (here < 20_000_000) {
            here = clock.cpuNanos();
        }

        long[] there = new long[1];
        Thread fresh = Thread.ofPlatform().start(() -> there[0] = clock.cpuNanos());
        CompletableFuture.runAsync(() -> joined(fresh)).join();

        assertThat(there[0]).isPositive().isLessThan(here);
    }

    private static void joined(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
