package io.hyperverbs.frontend.trace;

import io.hyperverbs.vmm.hypercall.HypercallException;
import io.hyperverbs.vmm.hypercall.Hypercalls;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Turns the verb log on and off as the toolstack's key {@code domain/tool/trace/NAME} says. One
 * thread: while there is no such key it sleeps in a store read, which costs nothing; only while
 * there is one it looks again every second, since the store does not tell of changes.
 */
public final class TraceSwitch implements AutoCloseable {
    private static final Duration FOREVER = Duration.ofDays(1);
    private static final long LOOK_AGAIN_MILLIS = 1000;

    private final Hypercalls machine;
    private final VerbTrace trace;
    private final String path;
    private final CountDownLatch closing = new CountDownLatch(1);

    private TraceSwitch(Hypercalls machine, VerbTrace trace) {
        this.machine = machine;
        this.trace = trace;
        this.path = "domain/tool/trace/" + machine.boot().name();
    }

    /** Starts the thread. */
    public static TraceSwitch start(Hypercalls machine, VerbTrace trace) {
        TraceSwitch started = new TraceSwitch(machine, trace);
        Thread.ofPlatform().name("trace-switch").daemon().start(started::run);
        return started;
    }

    /** The thread ends at its next look. */
    @Override
    public void close() {
        closing.countDown();
    }

    /**
     * Turns the log as the key says now. Any thread.
     *
     * @return whether there is such a key
     */
    public synchronized boolean look() throws HypercallException {
        Optional<String> value = machine.storeRead(path, Duration.ZERO);
        trace.turn(value.isPresent() && value.get().strip().equals("on"));
        return value.isPresent();
    }

    private void run() {
        try {
            while (closing.getCount() > 0) {
                if (!look()) {
                    var _ = machine.storeRead(path, FOREVER);
                } else if (closing.await(LOOK_AGAIN_MILLIS, TimeUnit.MILLISECONDS)) {
                    return;
                }
            }
        } catch (HypercallException e) {
            // The VMM is gone: nobody will turn the log on or off any more.
            closing.countDown();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
