package io.hyperverbs.frontend.event;

import io.hyperverbs.hca.layout.EventRingLayout;
import io.hyperverbs.vmm.posix.Futex;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The events that the HCA posts into the page of one context: any thread may take those that are there, and each is
 * taken once; one at a time may sleep until there are more.
 */
final class PostedRing {
    /** Where its events go; called under the ring's lock. */
    interface Target {
        void event(int entry);

        /** No more are taken. */
        void failed(String reason);
    }

    private final EventRingLayout layout;
    private final MemorySegment page;
    private final Futex tail;
    private final Target target;
    private final ReentrantLock taking = new ReentrantLock();
    private final AtomicInteger calls = new AtomicInteger();
    private volatile boolean isOpen = true;
    private volatile @Nullable String failure;
    private volatile boolean isAsleep;
    private volatile int head;
    // The sleeper's.
    private InterruptWake interrupts = new InterruptWake(this::call);

    PostedRing(EventRingLayout layout, MemorySegment page, Target target) {
        this.layout = layout;
        this.page = page;
        this.tail = new Futex(page, layout.tailOffset(0));
        this.target = target;
        layout.want(page, 0);
    }

    /** Whether events are taken: not after {@link #close}, nor after a failure. */
    boolean isOpen() {
        return isOpen && failure == null;
    }

    /** Why no events are taken any more; null while they are. */
    @Nullable
    String failure() {
        return failure;
    }

    /** Takes what is there. The caller has no lock that the target needs. */
    void take() {
        taking.lock();
        try {
            if (isOpen()) {
                takeAll();
            }
        } catch (RuntimeException | Error e) {
            fail(e);
        } finally {
            taking.unlock();
        }
    }

    // What is taken is not there again, even if the target throws.
    @SuppressWarnings("NonAtomicVolatileUpdate") // Under the lock.
    private void takeAll() {
        int posted = layout.tailAcquire(page, 0);
        while (head != posted) {
            int entry = layout.entry(page, 0, head);
            head++;
            target.event(entry);
        }
        layout.storeHead(page, 0, head);
    }

    private void fail(Throwable cause) {
        String reason = "events are no longer taken: " + cause;
        failure = reason;
        target.failed(reason);
    }

    /** Number of calls so far; taken before the look that says there is need to sleep. */
    int calls() {
        return calls.get();
    }

    /** Wakes the sleeper, or keeps who is about to sleep from it. Waits for nobody but on its way into the kernel. */
    void call() {
        calls.incrementAndGet();
        while (isAsleep && !tail.wakeSleeper()) {
            Thread.yield();
        }
    }

    /**
     * Sleeps while no event is there, nobody called since {@code calls} and the thread is not interrupted; at most
     * {@code nanos}. A platform thread, one at a time: it sleeps in the kernel.
     */
    void sleep(int callsSeen, long nanos) {
        if (!interrupts.isOpen()) {
            interrupts = new InterruptWake(this::call);
        }
        interrupts.enter();
        try {
            sleepUntilCalled(callsSeen, nanos);
        } catch (RuntimeException | Error e) {
            fail(e);
        } finally {
            interrupts.leave();
        }
    }

    private void sleepUntilCalled(int callsSeen, long nanos) {
        isAsleep = true;
        try {
            layout.waiting(page, 0, true);
            int taken = head;
            if (isOpen() && calls.get() == callsSeen && layout.tailAcquire(page, 0) == taken) {
                tail.await(taken, nanos);
            }
            layout.waiting(page, 0, false);
        } finally {
            // Who calls may hold a lock that the target needs.
            isAsleep = false;
        }
    }

    /** No more are taken, and who takes some is waited for; the sleeper is called. */
    void close() {
        taking.lock();
        try {
            isOpen = false;
        } finally {
            taking.unlock();
        }
        call();
    }

    /** They are taken again. */
    void reopen() {
        isOpen = true;
    }
}
