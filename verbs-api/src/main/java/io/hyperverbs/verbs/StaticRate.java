package io.hyperverbs.verbs;

/**
 * Static rates of an address vector ({@code ibv_rate}): the most that goes out by it. Thread-safe.
 *
 * <p>A code without a rate, such as 0, means the port's own.
 */
public final class StaticRate {
    /** The largest code that an address vector has room for. */
    public static final int MAX_CODE = 0xff;

    // By code, in Mbit/s; 0: the port's own.
    private static final int[] MEGABITS = {
        0, 0, 2_500, 10_000, 30_000, 5_000, 20_000, 40_000, 60_000, 80_000, 120_000, 14_000, 56_000, 112_000, 168_000,
        25_000, 100_000, 200_000, 300_000, 28_000, 50_000, 400_000, 600_000, 800_000, 1_200_000
    };

    private StaticRate() {}

    /** Whether an address vector may have that code, with a rate or without. */
    public static boolean isCode(int code) {
        return code >= 0 && code <= MAX_CODE;
    }

    /**
     * The rate of a code, in Mbit/s ({@code ibv_rate_to_mbps}, rounded to the name of the rate).
     *
     * @return 0 for the port's own
     */
    public static int megabitsPerSecond(int code) {
        return code >= 0 && code < MEGABITS.length ? MEGABITS[code] : 0;
    }
}
