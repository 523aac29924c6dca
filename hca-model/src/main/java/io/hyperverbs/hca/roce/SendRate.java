package io.hyperverbs.hca.roce;

/**
 * How fast one queue pair may send: the reaction point of DCQCN (Y. Zhu and others, Congestion control for large-scale
 * RDMA deployments, 2015). Without a notification of congestion there is no limit. Rates grow by time and by bytes; both
 * are looked at when something is sent, so that there is no timer for them. Engine thread only.
 */
final class SendRate {
    /** What a queue pair begins from when it is slowed down for the first time: 40 Gbit/s. */
    static final double LINE_BYTES_PER_SECOND = 5e9;

    private static final double LEAST_BYTES_PER_SECOND = 1e6;

    /** Additive and hyper increase, a hundredth and a tenth of the line's rate. */
    private static final double ADDED = LINE_BYTES_PER_SECOND / 100;

    private static final double ADDED_FAST = LINE_BYTES_PER_SECOND / 10;
    private static final double GAIN = 1.0 / 16;
    private static final double LEAST_ALPHA = GAIN * GAIN;
    private static final long ALPHA_NANOS = 55_000;
    private static final long INCREASE_NANOS = 300_000;
    private static final long INCREASE_BYTES = 10 << 20;
    private static final int FAST_STAGES = 5;

    /** A burst of so long is sent at once: a timer is not finer. */
    private static final long BURST_NANOS = 20_000;

    private boolean isLimited;
    private double rate;
    private double target;
    private double alpha = 1;
    private long alphaSinceNanos = Long.MAX_VALUE;
    private long increaseSinceNanos;
    private long increaseBytes;
    private int timeStages;
    private int byteStages;
    private long freeAtNanos;

    /** The receiver says that packets of the queue pair met a queue. */
    void congested(long nowNanos) {
        if (!isLimited) {
            isLimited = true;
            rate = LINE_BYTES_PER_SECOND;
            freeAtNanos = nowNanos;
        }
        decay(nowNanos);
        target = rate;
        rate = Math.max(LEAST_BYTES_PER_SECOND, rate * (1 - alpha / 2));
        alpha = (1 - GAIN) * alpha + GAIN;
        alphaSinceNanos = nowNanos;
        increaseSinceNanos = nowNanos;
        increaseBytes = 0;
        timeStages = 0;
        byteStages = 0;
    }

    /** Nanoseconds until something may be sent; 0 now. */
    long waitNanos(long nowNanos) {
        if (!isLimited) {
            return 0;
        }
        grow(nowNanos);
        return Math.max(0, freeAtNanos - BURST_NANOS - nowNanos);
    }

    /** So many bytes were sent. */
    void sent(long bytes, long nowNanos) {
        if (isLimited) {
            increaseBytes += bytes;
            freeAtNanos = Math.max(freeAtNanos, nowNanos - BURST_NANOS) + (long) (bytes * 1e9 / rate);
        }
    }

    /** Bytes a second that it may send; the line's rate without a limit. */
    double bytesPerSecond() {
        return isLimited ? rate : LINE_BYTES_PER_SECOND;
    }

    // Long after the last notification the next one says little.
    private void decay(long nowNanos) {
        for (long since = alphaSinceNanos;
                nowNanos - since >= ALPHA_NANOS && alpha > LEAST_ALPHA;
                since += ALPHA_NANOS) {
            alpha *= 1 - GAIN;
        }
    }

    private void grow(long nowNanos) {
        while (isLimited && nowNanos - increaseSinceNanos >= INCREASE_NANOS) {
            increaseSinceNanos += INCREASE_NANOS;
            timeStages++;
            increase();
        }
        while (isLimited && increaseBytes >= INCREASE_BYTES) {
            increaseBytes -= INCREASE_BYTES;
            byteStages++;
            increase();
        }
    }

    private void increase() {
        if (Math.min(timeStages, byteStages) > FAST_STAGES) {
            target += ADDED_FAST;
        } else if (Math.max(timeStages, byteStages) > FAST_STAGES) {
            target += ADDED;
        }
        target = Math.min(target, LINE_BYTES_PER_SECOND);
        rate = (rate + target) / 2;
        isLimited = rate < LINE_BYTES_PER_SECOND * 0.99;
    }
}
