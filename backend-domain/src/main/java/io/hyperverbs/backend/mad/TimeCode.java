package io.hyperverbs.backend.mad;

/** Times as messages of connection management have them: 4.096 us x 2^n, 5 bits (IBA 12.7.4). */
public final class TimeCode {
    /** The longest, some 2.4 hours. */
    public static final int MAX = 31;

    private static final long UNIT_NANOS = 4096;

    private TimeCode() {}

    public static long nanos(int code) {
        return UNIT_NANOS << (code & MAX);
    }

    /** The code of the shortest time that is not shorter, or the longest there is. */
    public static int atLeast(long nanos) {
        int code = 0;
        while (code < MAX && nanos(code) < nanos) {
            code++;
        }
        return code;
    }
}
