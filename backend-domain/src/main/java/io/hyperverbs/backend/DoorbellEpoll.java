package io.hyperverbs.backend;

import io.hyperverbs.hca.DoorbellSleep;
import io.hyperverbs.vmm.posix.Epoll;
import io.hyperverbs.vmm.posix.EventFd;
import io.hyperverbs.vmm.posix.PosixException;
import java.io.UncheckedIOException;
import java.lang.invoke.VarHandle;

/**
 * Sleeps in epoll over the doorbell eventfds of all domains and one of its own. {@link #sleep} is
 * the engine's, the rest any thread's.
 *
 * <p>{@link #wake} stores {@code woken}, then looks at {@code sleeping}; {@link #sleep} stores
 * {@code sleeping}, then looks at {@code woken}: one of them sees the other, and while the engine
 * is awake a wake-up costs no system call.
 */
public final class DoorbellEpoll implements DoorbellSleep, AutoCloseable {
    private static final long TAG = 0;

    private final Epoll epoll;
    private final EventFd own;
    private volatile boolean woken;
    private volatile boolean sleeping;

    private DoorbellEpoll(Epoll epoll, EventFd own) {
        this.epoll = epoll;
        this.own = own;
    }

    public static DoorbellEpoll create() throws PosixException {
        EventFd own = EventFd.create();
        Epoll epoll = Epoll.create();
        epoll.add(own.fd().number(), TAG);
        return new DoorbellEpoll(epoll, own);
    }

    /** From now on {@code eventFd} ends a sleep. */
    public void watch(int eventFd) throws PosixException {
        epoll.add(eventFd, TAG);
    }

    /** Before the descriptor is closed. */
    public void unwatch(int eventFd) throws PosixException {
        epoll.remove(eventFd);
    }

    @Override
    public void sleep(long maxNanos) {
        if (maxNanos <= 0) {
            return;
        }
        sleeping = true;
        try {
            if (!woken) {
                // Edge-triggered: nobody reads the eventfds, which guests may fill as they like.
                int _ = epoll.await(maxNanos);
            }
        } catch (PosixException e) {
            throw new UncheckedIOException(e);
        } finally {
            sleeping = false;
            woken = false;
            // The engine looks for work only after it took the wake-up.
            VarHandle.fullFence();
        }
    }

    @Override
    public void wake() {
        VarHandle.fullFence();
        if (woken) {
            return;
        }
        woken = true;
        if (sleeping) {
            own.signal();
        }
    }

    @Override
    public void close() {
        epoll.close();
        own.close();
    }
}
