package io.hyperverbs.hca.link;

/**
 * A queue before a line of limited rate, reckoned and not kept: when the line will have sent what is queued says how
 * long the queue is. Packets come in the order of their times. Engine thread only.
 */
final class LinkQueue {
    /** Headers of IPv4 and UDP, which take their time on the line. */
    static final int HEADER_BYTES = 28;

    private static final long BILLION_BITS = 8 * 1_000_000_000L;

    private QueueSettings settings = QueueSettings.none();
    private long freeAtNanos = Long.MIN_VALUE;
    // Of a nanosecond, in parts of the rate: rates are exact in the long run.
    private long remainder;
    private long queuedBytes;

    /** From now on; what is queued leaves as it would have. */
    void settings(QueueSettings changed) {
        settings = changed;
        remainder = 0;
    }

    /** What was queued is gone. */
    void empty() {
        freeAtNanos = Long.MIN_VALUE;
        remainder = 0;
        queuedBytes = 0;
    }

    /** Bytes that the packet met which was offered last. */
    long queuedBytes() {
        return queuedBytes;
    }

    /**
     * Whether a packet finds room; {@link #sendNanos} puts it in then.
     *
     * @param bytes of the datagram
     */
    boolean hasRoom(int bytes, long atNanos) {
        if (settings.isNone()) {
            return true;
        }
        queuedBytes = freeAtNanos <= atNanos ? 0 : bytesIn(freeAtNanos - atNanos);
        return queuedBytes == 0 || queuedBytes + bytes + HEADER_BYTES <= settings.limitBytes();
    }

    /** Whether the packet that just found room is to be marked. */
    boolean marks(LinkDraw draw) {
        long from = settings.markFromBytes();
        long to = settings.markToBytes();
        if (to == 0 || queuedBytes <= from) {
            return false;
        }
        return queuedBytes >= to || draw.below(LinkDraw.Cause.MARK, to - from) < queuedBytes - from;
    }

    /** Puts in a packet that found room; the time when the line has sent it. */
    long sendNanos(int bytes, long atNanos) {
        if (settings.isNone()) {
            return atNanos;
        }
        if (freeAtNanos < atNanos) {
            freeAtNanos = atNanos;
            remainder = 0;
        }
        long parts = (bytes + HEADER_BYTES) * BILLION_BITS + remainder;
        freeAtNanos += parts / settings.bitsPerSecond();
        remainder = parts % settings.bitsPerSecond();
        return freeAtNanos;
    }

    private long bytesIn(long nanos) {
        return (long) (nanos * (double) settings.bitsPerSecond() / BILLION_BITS);
    }
}
