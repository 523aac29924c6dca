package io.hyperverbs.lab.bench.perf;

/** How long a side waits for one message before it gives up. One thread; no allocation. */
final class Patience {
    private static final long NANOS = 20_000_000_000L;
    private static final int CLOCK_EVERY = 1 << 12;

    private int looks;
    private long giveUpNanos;

    /** Something came. */
    void reset() {
        looks = 0;
        giveUpNanos = 0;
    }

    /** Whether it is over, after one more look that found nothing; a look at the clock would cost as much as a poll. */
    boolean isOver() {
        looks++;
        return looks % CLOCK_EVERY == 0 && isOverNow();
    }

    /** The same, after a sleep. */
    boolean isOverNow() {
        long nowNanos = System.nanoTime();
        if (giveUpNanos == 0) {
            giveUpNanos = nowNanos + NANOS;
        }
        return nowNanos - giveUpNanos > 0;
    }
}
