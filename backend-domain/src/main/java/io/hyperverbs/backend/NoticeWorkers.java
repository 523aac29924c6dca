package io.hyperverbs.backend;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does the work of domains: of several side by side, of one domain in the order in which it came.
 * Its threads are there from the start, since ends have to go on where no thread can be had. {@link
 * #submit} is any thread's.
 */
final class NoticeWorkers {
    /** Domains that may be slow at a time before the others wait. */
    static final int THREADS = 8;

    private static final Logger LOG = LoggerFactory.getLogger(NoticeWorkers.class);

    /** By domain; one that is here is in {@link #ready} or has a worker. Under this lock. */
    private final Map<Integer, ArrayDeque<Runnable>> waiting = new HashMap<>();

    private final BlockingQueue<ArrayDeque<Runnable>> ready = new LinkedBlockingQueue<>();

    /** Starts the threads; they sleep while there is nothing to do. */
    NoticeWorkers start() {
        for (int i = 0; i < THREADS; i++) {
            Thread.ofPlatform().name("notice-worker-" + i).daemon().start(this::serve);
        }
        return this;
    }

    /** {@code work} is done after what was submitted for {@code domain} before. */
    synchronized void submit(int domain, Runnable work) {
        ArrayDeque<Runnable> earlier = waiting.get(domain);
        if (earlier != null) {
            earlier.add(work);
            return;
        }
        ArrayDeque<Runnable> queue = new ArrayDeque<>();
        queue.add(work);
        waiting.put(domain, queue);
        ready.add(queue);
    }

    private void serve() {
        while (true) {
            try {
                serve(ready.take());
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void serve(ArrayDeque<Runnable> queue) {
        for (Runnable work = head(queue); work != null; work = next(queue)) {
            try {
                work.run();
            } catch (RuntimeException | Error e) {
                LOG.error("work of one domain failed", e);
            }
        }
    }

    private synchronized Runnable head(ArrayDeque<Runnable> queue) {
        return queue.element();
    }

    /** What comes after the first, which is done; null if that was all. */
    private synchronized @Nullable Runnable next(ArrayDeque<Runnable> queue) {
        queue.remove();
        if (queue.isEmpty()) {
            waiting.values().remove(queue);
        }
        return queue.peek();
    }
}
