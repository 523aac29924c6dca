package io.hyperverbs.lab.attacks.cases;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads that compute without pause until they are ended. Each looks for the begin itself: those
 * that compute already would keep one thread from starting the others, and the others from waking
 * each other, for minutes. One thread begins and ends them.
 */
public final class Computing {
    private static final int STACK_BYTES = 64 << 10;

    /** Six hundred that look every 5 ms keep a core busy: the last of them then take a minute to start. */
    private static final long LOOK_NANOS = 100_000_000;

    private final List<Thread> threads = new ArrayList<>();
    private final LongAdder steps = new LongAdder();
    private volatile boolean begun;
    private volatile boolean over;

    private Computing() {}

    /**
     * Begins.
     *
     * @param first what each thread does before it computes
     */
    public static Computing begin(int threads, Runnable first) {
        Computing computing = new Computing();
        for (int i = 0; i < threads; i++) {
            computing.threads.add(Thread.ofPlatform()
                    .daemon()
                    .name("compute-" + i)
                    .stackSize(STACK_BYTES)
                    .start(() -> computing.run(first)));
        }
        computing.begun = true;
        return computing;
    }

    private void run(Runnable first) {
        first.run();
        while (!begun) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
        long done = 0;
        while (!over) {
            done++;
        }
        steps.add(done);
    }

    /** Tells all to end; does not wait. */
    public void end() {
        over = true;
    }

    /** Waits for all to end, and says how many steps they made together. */
    public long awaitSteps() throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
        return steps.sum();
    }
}
