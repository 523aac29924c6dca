package io.hyperverbs.hca.link;

/**
 * A queue before a line of limited rate. Immutable.
 *
 * @param bitsPerSecond of IPv4 packets; 0: there is no queue
 * @param limitBytes what does not fit is dropped
 * @param markFromBytes when more is queued, packets that are capable of it are marked with congestion experienced, the
 *     likelier the more (RED); 0: none is
 * @param markToBytes above that each is; {@code markFromBytes} or more
 */
public record QueueSettings(long bitsPerSecond, long limitBytes, long markFromBytes, long markToBytes) {
    /** What a queue may hold if nothing else is said. */
    static final long STANDARD_LIMIT_BYTES = 1 << 20;

    private static final long MOST_BITS_PER_SECOND = 1_000_000_000_000L;
    private static final long MOST_BYTES = 1L << 30;
    private static final QueueSettings NONE = new QueueSettings(0, 0, 0, 0);

    public QueueSettings {
        check("rate", Quantity.RATE, bitsPerSecond, MOST_BITS_PER_SECOND);
        check("queue", Quantity.SIZE, limitBytes, MOST_BYTES);
        check("ecn", Quantity.SIZE, markToBytes, MOST_BYTES);
        if (markFromBytes < 0 || markFromBytes > markToBytes) {
            throw new IllegalArgumentException("ecn: the first threshold is above the second");
        }
        if (bitsPerSecond == 0 && (limitBytes != 0 || markToBytes != 0)) {
            throw new IllegalArgumentException((markToBytes == 0 ? "queue" : "ecn") + " needs a rate");
        }
        if (bitsPerSecond != 0 && limitBytes == 0) {
            limitBytes = STANDARD_LIMIT_BYTES;
        }
    }

    private static void check(String key, Quantity quantity, long value, long most) {
        if (value < 0 || value > most) {
            throw new IllegalArgumentException(key + ": at most " + quantity.format(most));
        }
    }

    /** No queue. */
    public static QueueSettings none() {
        return NONE;
    }

    /** Whether there is no queue. */
    public boolean isNone() {
        return bitsPerSecond == 0;
    }
}
