package io.hyperverbs.lab.attacks;

/**
 * When a victim makes its next round. With a load it makes as many as it can for some seconds, and
 * a share of those from then on; without one two hundred a second, so that it has traffic all the
 * time but not a core of its own.
 */
final class VictimRhythm {
    /** How long a peak is looked for; what comes in the first half is not warm. */
    static final long PEAK_NANOS = 6_000_000_000L;

    /** What was missed longer ago is not made up for. */
    static final long MEMORY_NANOS = 10_000_000_000L;

    /** Between rounds without a load. */
    static final long CALM_NANOS = 5_000_000;

    /** Who sleeps for less wakes up too late. */
    static final long SHORTEST_NANOS = 1_000_000;

    private final int percent;
    private long begin;
    private long warm;
    private long rounds;
    private long peakPerSecond;
    private long gapNanos;
    private long due;

    /**
     * @param percent of its full speed; 0 for two hundred rounds a second
     */
    VictimRhythm(int percent) {
        this.percent = percent;
    }

    /** Rounds a second at full speed; 0 until that is known. */
    long peakPerSecond() {
        return peakPerSecond;
    }

    /** How long to wait for the next round, when one has ended at {@code now}. */
    long pauseNanos(long now) {
        if (percent == 0) {
            return CALM_NANOS;
        }
        if (peakPerSecond == 0) {
            lookForPeak(now);
            return 0;
        }
        due = Math.max(due + gapNanos, now - MEMORY_NANOS);
        return due - now < SHORTEST_NANOS ? 0 : due - now;
    }

    private void lookForPeak(long now) {
        if (begin == 0) {
            begin = now;
        } else if (warm == 0 && now - begin >= PEAK_NANOS / 2) {
            warm = now;
        } else if (warm != 0) {
            rounds++;
            if (now - begin >= PEAK_NANOS) {
                peakPerSecond = Math.max(1, Math.round(1e9 * rounds / (now - warm)));
                gapNanos = Math.round(1e9 * 100 / percent / peakPerSecond);
                due = now;
            }
        }
    }
}
