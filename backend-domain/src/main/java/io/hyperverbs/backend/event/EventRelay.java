package io.hyperverbs.backend.event;

import io.hyperverbs.hca.HcaEvent;
import io.hyperverbs.hca.InterruptLine;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The backend's interrupt handler: takes events from the HCA and hands each to its UAR's target, on
 * a thread of its own that sleeps while there are none.
 */
public final class EventRelay implements InterruptLine, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EventRelay.class);
    private static final long JOIN_MILLIS = 1000;

    private final EventRoutes routes;
    private final Signal signal = new Signal();
    private final HcaEvent event = new HcaEvent();
    private volatile boolean stopping;
    private final Thread thread;
    private volatile Predicate<HcaEvent> poll = _ -> false;

    public EventRelay(EventRoutes routes) {
        this.routes = routes;
        this.thread = Thread.ofPlatform().name("event-relay").daemon().unstarted(this::run);
    }

    /** Starts to read from {@code source}, the HCA's {@code poll}. */
    public void start(Predicate<HcaEvent> source) {
        poll = source;
        thread.start();
    }

    @Override
    public void raise() {
        signal.raise();
    }

    /** Relays what there is; how many events. */
    int doWork() {
        int relayed = 0;
        try {
            while (poll.test(event)) {
                relayed++;
                relay();
            }
        } catch (RuntimeException | Error e) {
            LOG.error("an event could not be read", e);
            relayed++;
        }
        return relayed;
    }

    @Override
    public void close() {
        stopping = true;
        signal.raise();
        try {
            thread.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (!stopping) {
            if (doWork() == 0) {
                signal.await();
            }
        }
    }

    private void relay() {
        EventTarget target = routes.find(event.uar());
        if (target == null) {
            return;
        }
        try {
            switch (event.kind()) {
                case COMPLETION -> target.completion(event.number());
                case ASYNC -> target.async(event.asyncCode(), event.number());
            }
        } catch (RuntimeException | Error e) {
            // One session's trouble must not end the events of the others.
            LOG.error("event of UAR {} not delivered", event.uar(), e);
        }
    }
}
