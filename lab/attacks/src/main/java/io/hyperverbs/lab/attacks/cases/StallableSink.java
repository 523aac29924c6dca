package io.hyperverbs.lab.attacks.cases;

import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.vmm.io.EventSink;

/** Hears events, unless it is shut: then the thread that brings one waits, and nothing is read. */
final class StallableSink implements EventSink {
    private boolean shut;
    private long heard;
    private boolean overflowed;

    synchronized void shut() {
        shut = true;
    }

    synchronized void open() {
        shut = false;
        notifyAll();
    }

    /** Events that came in. */
    synchronized long heard() {
        return heard;
    }

    /** Whether it was told that events were dropped. */
    synchronized boolean overflowed() {
        return overflowed;
    }

    private synchronized void hear() {
        heard++;
        while (shut) {
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    @Override
    public void completion(long cq) {
        hear();
    }

    @Override
    public void async(long context, AsyncEvent event) {
        hear();
    }

    @Override
    public void connections(long channel) {
        hear();
    }

    @Override
    public synchronized void overflow() {
        overflowed = true;
    }

    @Override
    public void closed(String reason) {
        // Nothing to hear any more; the session's own calls show that it goes on.
    }
}
