package io.hyperverbs.frontend.channel;

import io.grpc.CallOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How long a call may take and how often it is tried, always with the same request id.
 *
 * @param deadline of one attempt
 * @param attempts at least 1
 * @param pause before the second attempt; doubled before each further one
 */
public record CallTiming(Duration deadline, int attempts, Duration pause) {
    public CallTiming {
        if (attempts < 1) {
            throw new IllegalArgumentException("attempts " + attempts + ", must be at least 1");
        }
    }

    /** Three attempts of 5 s each. */
    public static CallTiming standard() {
        return new CallTiming(Duration.ofSeconds(5), 3, Duration.ofMillis(20));
    }

    /** Of an attempt that begins now. */
    public CallOptions options() {
        return CallOptions.DEFAULT.withDeadlineAfter(deadline.toNanos(), TimeUnit.NANOSECONDS);
    }
}
