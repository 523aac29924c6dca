package io.hyperverbs.vmm.domain;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the threads on which domains end. Where the computer has no thread left, one of a few that
 * were started with the machine does the work instead: an end is what gives threads back, so it
 * must not need one. Callable from any thread.
 */
final class ReserveThreads {
    private static final Logger LOG = LoggerFactory.getLogger(ReserveThreads.class);
    private static final int THREADS = 2;

    private final BiConsumer<String, Runnable> starter;
    private final BlockingQueue<Runnable> waiting = new LinkedBlockingQueue<>();

    ReserveThreads() {
        this((name, work) -> Thread.ofPlatform().daemon().name(name).start(work));
    }

    /** {@code starter} runs work on a new thread of that name, or throws. */
    ReserveThreads(BiConsumer<String, Runnable> starter) {
        this.starter = starter;
        for (int i = 0; i < THREADS; i++) {
            Thread.ofPlatform().daemon().name("reserve-" + i).start(this::serve);
        }
    }

    /** Runs {@code work} on a thread of that name; on one of the reserve if there can be none. */
    void run(String name, Runnable work) {
        try {
            starter.accept(name, work);
        } catch (OutOfMemoryError e) {
            LOG.warn("no thread for {}: {}", name, e.getMessage());
            waiting.add(work);
        }
    }

    private void serve() {
        while (true) {
            try {
                waiting.take().run();
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException | Error e) {
                LOG.error("work of the reserve failed", e);
            }
        }
    }
}
