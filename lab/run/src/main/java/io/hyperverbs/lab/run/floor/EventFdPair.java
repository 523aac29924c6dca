package io.hyperverbs.lab.run.floor;

import io.hyperverbs.verbs.wait.WaitingPolicy;
import io.hyperverbs.vmm.cores.EngineCores;
import io.hyperverbs.vmm.posix.Epoll;
import io.hyperverbs.vmm.posix.EventFd;
import io.hyperverbs.vmm.posix.PosixException;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that sleeps in epoll until another one, which polls where an engine does, signals its eventfd. All methods are
 * the first one's.
 */
final class EventFdPair implements AutoCloseable {
    private static final long SLEEP_NANOS = 1_000_000_000;

    private final EventFd answered = EventFd.create();
    private final Epoll epoll = Epoll.create();
    private final Thread other = new Thread(this::answer, "eventfd");
    private volatile boolean isPolling;
    private volatile boolean isClosing;
    private volatile int asked;
    private volatile long signalledNanos;
    private int number;

    private EventFdPair() throws PosixException {
        epoll.add(answered.fd().number(), 0);
    }

    /** Starts the other thread, which takes an engine's core if the calling thread may use it. */
    static EventFdPair start() throws PosixException {
        EventFdPair pair = new EventFdPair();
        pair.other.setDaemon(true);
        pair.other.start();
        return pair;
    }

    /** The other thread polls from now on, or sleeps. */
    void poll(boolean on) {
        isPolling = on;
        LockSupport.unpark(other);
    }

    /** Asks the other thread, which has to poll, for a wake, and sleeps until it comes; nanoseconds of the wake. */
    long awaitWake() {
        asked = ++number;
        try {
            int ready = 0;
            while (ready == 0) {
                ready = epoll.await(SLEEP_NANOS);
            }
        } catch (PosixException e) {
            throw new IllegalStateException(e);
        }
        long nanos = System.nanoTime() - signalledNanos;
        answered.drain();
        return nanos;
    }

    private void answer() {
        EngineCores.standard().placeEngine();
        WaitingPolicy waiting = WaitingPolicy.yielding();
        int last = 0;
        while (!isClosing) {
            int now = asked;
            if (now != last) {
                waiting.reset();
                last = now;
                FloorEngine.awaitSleep();
                signalledNanos = System.nanoTime();
                answered.signal();
            } else if (isPolling) {
                boolean _ = waiting.idle();
            } else {
                LockSupport.park(this);
            }
        }
    }

    @Override
    public void close() {
        isClosing = true;
        boolean interrupted = false;
        while (other.isAlive()) {
            LockSupport.unpark(other);
            try {
                other.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        epoll.close();
        answered.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
