package io.hyperverbs.hca.schedule;

/**
 * So many bytes and messages a second, 0 for any number, with a burst of a hundredth of a second's
 * worth. A turn may overdraw it by one step, which is waited for. Time is passed in; no allocation.
 */
final class RateLimit {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double BURST_SECONDS = 0.01;
    private static final double LEAST_BYTES = 64 * 1024;
    private static final double LEAST_MESSAGES = 16;

    private final double bytesPerNano;
    private final double messagesPerNano;
    private final double mostBytes;
    private final double mostMessages;
    private double bytes;
    private double messages;
    private long filledToNanos;
    private boolean begun;

    RateLimit(long bytesPerSecond, long messagesPerSecond) {
        bytesPerNano = (double) bytesPerSecond / NANOS_PER_SECOND;
        messagesPerNano = (double) messagesPerSecond / NANOS_PER_SECOND;
        mostBytes = Math.max(LEAST_BYTES, (double) bytesPerSecond * BURST_SECONDS);
        mostMessages = Math.max(LEAST_MESSAGES, (double) messagesPerSecond * BURST_SECONDS);
        bytes = mostBytes;
        messages = mostMessages;
    }

    /** Whether anything may be sent now. */
    boolean isOpen(long nowNanos) {
        fill(nowNanos);
        return bytes > 0 && messages > 0;
    }

    void spend(long sentBytes, long sentMessages) {
        if (bytesPerNano > 0) {
            bytes -= (double) sentBytes;
        }
        if (messagesPerNano > 0) {
            messages -= (double) sentMessages;
        }
    }

    /** How long until {@link #isOpen}; at least 1. */
    long nanosToOpen(long nowNanos) {
        fill(nowNanos);
        double nanos = 0;
        if (bytes <= 0) {
            nanos = -bytes / bytesPerNano;
        }
        if (messages <= 0) {
            nanos = Math.max(nanos, -messages / messagesPerNano);
        }
        return (long) nanos + 1;
    }

    private void fill(long nowNanos) {
        long passed = begun ? nowNanos - filledToNanos : 0;
        begun = true;
        filledToNanos = nowNanos;
        if (passed > 0) {
            bytes = Math.min(mostBytes, bytes + (double) passed * bytesPerNano);
            messages = Math.min(mostMessages, messages + (double) passed * messagesPerNano);
        }
    }
}
