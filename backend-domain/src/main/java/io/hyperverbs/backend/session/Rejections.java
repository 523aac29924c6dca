package io.hyperverbs.backend.session;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How often each act of a domain was rejected, and whether the next one may still be written down:
 * a domain can be refused as often as it likes, and fills nobody's disk with it. Any thread.
 */
public final class Rejections {
    private static final int RECORDS_PER_SECOND = 10;

    // Filled here and never changed, so that any thread may look things up.
    private final Map<RejectedAct, AtomicLong> counts = new EnumMap<>(RejectedAct.class);
    private final TokenBucket records = new TokenBucket(RECORDS_PER_SECOND);
    private final AtomicBoolean broken = new AtomicBoolean();
    private long unrecorded;

    public Rejections() {
        for (RejectedAct act : RejectedAct.values()) {
            counts.put(act, new AtomicLong());
        }
    }

    public void count(RejectedAct act) {
        var _ = counter(act).incrementAndGet();
    }

    public long of(RejectedAct act) {
        return counter(act).get();
    }

    private AtomicLong counter(RejectedAct act) {
        return Objects.requireNonNull(counts.get(act), "counter");
    }

    /** Whether this is the first time that the domain broke the protocol. */
    public boolean isFirstViolation() {
        return broken.compareAndSet(false, true);
    }

    /**
     * Asks for a place in a record: a log line, a journal entry.
     *
     * @return how many acts were left out since the last one that got a place, or -1 if this one is
     *     left out too
     */
    public synchronized long record(long nowNanos) {
        if (!records.take(nowNanos)) {
            unrecorded++;
            return -1;
        }
        long leftOut = unrecorded;
        unrecorded = 0;
        return leftOut;
    }
}
