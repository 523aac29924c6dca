package io.hyperverbs.vmm.domain;

import io.hyperverbs.vmm.hypercall.wire.NoticeReply;
import io.hyperverbs.vmm.hypercall.wire.SessionAskedNotice;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether the backend answers anybody at all. One domain whose end it does not
 * acknowledge says nothing about that: it is asked for the session of a domain that never is, which
 * it answers without waiting for any. Callable from any thread.
 */
final class BackendPulse {
    /** Domain ids begin at 1. */
    private static final int NOBODY = 0;

    private final NoticeQueue notices;
    private final long silentNanos;
    private NoticeQueue.@Nullable Sent probe;
    private long probedNanos;

    /** {@code silentNanos}: how long it may answer nobody. */
    BackendPulse(NoticeQueue notices, long silentNanos) {
        this.notices = notices;
        this.silentNanos = silentNanos;
    }

    /** Asks, if no question is open; true if the backend has been silent for too long. */
    synchronized boolean isSilent(long nowNanos) {
        NoticeQueue.Sent asked = probe;
        if (asked == null || asked.isDone()) {
            probedNanos = nowNanos;
            probe = notices.send(
                    NoticeReply.newBuilder()
                            .setSessionAsked(SessionAskedNotice.newBuilder().setDomain(NOBODY)),
                    List.of());
            return false;
        }
        return nowNanos - Math.max(probedNanos, notices.lastSignNanos()) > silentNanos;
    }
}
