package io.hyperverbs.vmm.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ThreadSliceTest {
    private static final Duration SHORT = Duration.ofNanos(200_000);

    @BeforeEach
    void needsTheCall() {
        assumeTrue(ThreadSlice.known(), "sched_setattr is not known on this computer");
    }

    @Test
    void isOfOneThreadAndOfThoseThatItStarts() throws Exception {
        Duration before = ThreadSlice.get();

        Duration inherited = inThread(ThreadSliceTest::ofThreadStartedByAShortOne);

        // A kernel that knows no such thing says 0 of all.
        assertThat(inherited).isIn(SHORT, Duration.ZERO);
        assertThat(ThreadSlice.get()).isEqualTo(before);
    }

    private static Duration ofThreadStartedByAShortOne() throws Exception {
        ThreadSlice.set(SHORT);
        return inThread(ThreadSlice::get);
    }

    private static Duration inThread(Callable<Duration> what) throws Exception {
        try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
            return thread.submit(what).get();
        }
    }
}
