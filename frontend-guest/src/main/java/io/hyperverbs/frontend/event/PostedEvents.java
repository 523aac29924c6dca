package io.hyperverbs.frontend.event;

import io.hyperverbs.hca.layout.EventRingLayout;
import io.hyperverbs.vmm.posix.Futex;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Takes the completion events that the HCA posts into the UAR page of one context, on a thread of its own, which sleeps
 * on the ring's tail while there are none: nobody stands between the HCA and this domain. Any thread.
 */
public final class PostedEvents {
    /** A wake-up that was lost would cost so much; none is known to be. */
    private static final long LONGEST_SLEEP_NANOS = 1_000_000_000;

    private static final long JOIN_MILLIS = 1;

    private final MemorySegment page;
    private final Futex tail;
    private final Map<Integer, CqEventState> queues = new ConcurrentHashMap<>();
    private final String name;
    private volatile Thread reader;
    private volatile boolean stopping;
    private volatile int taken;
    // The reader's.
    private int head;
    private int lost;

    private PostedEvents(MemorySegment page, String name) {
        this.page = page;
        this.tail = new Futex(page, EventRingLayout.tailOffset(0));
        this.name = name;
        this.reader = newReader();
    }

    private Thread newReader() {
        return Thread.ofPlatform().name(name).daemon().unstarted(this::run);
    }

    /** Has the events of a context posted into its mapped UAR page from now on. */
    public static PostedEvents on(MemorySegment page, String name) {
        PostedEvents events = new PostedEvents(page, name);
        EventRingLayout.want(page, 0);
        events.reader.start();
        return events;
    }

    /** Events of the queue at that doorbell slot go to {@code events}. */
    public void add(int slot, CqEventState events) {
        queues.put(slot, events);
    }

    /** The queue at that slot is destroyed; its events are taken, so that none is another's that gets the slot next. */
    public void forget(int slot) {
        queues.remove(slot);
        int posted = EventRingLayout.tailAcquire(page, 0);
        while (taken - posted < 0 && reader.isAlive()) {
            Thread.yield();
        }
    }

    private void run() {
        try {
            while (!stopping) {
                if (!take()) {
                    sleep();
                }
            }
        } catch (RuntimeException | Error e) {
            queues.values().forEach(events -> events.fail("completion events are no longer taken: " + e));
        }
    }

    /** Whether there was something. */
    private boolean take() {
        int posted = EventRingLayout.tailAcquire(page, 0);
        int before = head;
        while (head != posted) {
            CqEventState events = queues.get(EventRingLayout.slot(page, 0, head));
            head++;
            if (events != null) {
                events.raise();
            }
        }
        EventRingLayout.storeHead(page, 0, head);
        taken = head;
        boolean isOverflow = EventRingLayout.lostAcquire(page, 0) != lost;
        if (isOverflow) {
            overflow();
        }
        return head != before || isOverflow;
    }

    // Which were lost is not known: every armed queue is to be looked at.
    private void overflow() {
        lost = EventRingLayout.lostAcquire(page, 0);
        queues.values().stream().filter(CqEventState::isArmed).forEach(CqEventState::announce);
    }

    private void sleep() {
        EventRingLayout.waiting(page, 0, true);
        if (!stopping && EventRingLayout.tailAcquire(page, 0) == head) {
            tail.await(head, LONGEST_SLEEP_NANOS);
        }
        EventRingLayout.waiting(page, 0, false);
    }

    /** Ends the reader, which touches the page no more. Not beside {@link #start}. */
    public void stop() {
        stopping = true;
        boolean interrupted = false;
        while (reader.isAlive()) {
            // The first wake may come before the reader sleeps.
            tail.wake();
            try {
                reader.join(JOIN_MILLIS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Takes events again, as the page is still the context's. Not beside {@link #stop}. */
    public void start() {
        stopping = false;
        reader = newReader();
        reader.start();
    }
}
