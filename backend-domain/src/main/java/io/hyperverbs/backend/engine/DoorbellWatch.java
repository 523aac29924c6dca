package io.hyperverbs.backend.engine;

import io.hyperverbs.hca.DoorbellSleep;

import java.io.IOException;

/** Where the engine sleeps, with the doorbell eventfds of the domains there are. Any thread. */
public interface DoorbellWatch extends DoorbellSleep, AutoCloseable {
    /** From now on {@code eventFd} ends a sleep. */
    void watch(int eventFd) throws IOException;

    /** Before the descriptor is closed. */
    void unwatch(int eventFd);

    @Override
    void close();
}
