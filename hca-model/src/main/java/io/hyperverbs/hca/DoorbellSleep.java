package io.hyperverbs.hca;

/**
 * Where the engine thread sleeps when nothing was rung for a while: epoll over one eventfd per
 * guest.
 */
public interface DoorbellSleep {
    /**
     * Blocks until {@link #wake}, a guest's eventfd, or {@code maxNanos} have passed. Engine thread
     * only.
     */
    void sleep(long maxNanos);

    /** Ends a sleep, or the next one. Any thread; cheap while the engine is awake. */
    void wake();
}
