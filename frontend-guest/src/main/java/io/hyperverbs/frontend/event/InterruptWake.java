package io.hyperverbs.frontend.event;

import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.spi.AbstractInterruptibleChannel;

/**
 * Has a platform thread woken that is interrupted while it sleeps in a call of the kernel. The JDK tells a channel of an
 * interrupt and nothing else, hence this is one; it is closed by the first. One thread at a time.
 */
final class InterruptWake extends AbstractInterruptibleChannel {
    private final Runnable wake;

    /**
     * @param wake called by who interrupts; must not wait for the thread
     */
    InterruptWake(Runnable wake) {
        this.wake = wake;
    }

    /** Before the sleep; wakes at once if the thread is interrupted already. */
    void enter() {
        begin();
    }

    /** After it. */
    void leave() {
        try {
            end(true);
        } catch (AsynchronousCloseException e) {
            // The thread is interrupted still, which its caller looks at.
        }
    }

    @Override
    protected void implCloseChannel() {
        wake.run();
    }
}
