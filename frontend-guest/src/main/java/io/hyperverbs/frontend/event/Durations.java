package io.hyperverbs.frontend.event;

import java.time.Duration;

/** Timeouts as nanoseconds. */
final class Durations {
    private Durations() {}

    /** Nanoseconds, at most {@link Long#MAX_VALUE}: a very long timeout is none. */
    static long nanos(Duration timeout) {
        return timeout.toSeconds() >= Long.MAX_VALUE / 1_000_000_000L ? Long.MAX_VALUE : timeout.toNanos();
    }
}
