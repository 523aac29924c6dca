package io.hyperverbs.hca.rc;

/** Delays that times are coded for on the wire. */
public final class RnrDelay {
    // In units of 10 us; IBA vol. 1, RNR NAK timer field.
    private static final int[] TENS_OF_MICROS = {
        65536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096,
        6144, 8192, 12288, 16384, 24576, 32768, 49152
    };

    // The largest that the field of an RNR NAK can express, code 0.
    private static final long LONGEST_NANOS = 655_360_000L;
    private static final int GROWTH = 5;

    private static final int MOST_DOUBLINGS = 2;

    private RnrDelay() {}

    /** How long a requester waits after an RNR NAK with this 5-bit code. */
    static long nanos(int code) {
        return TENS_OF_MICROS[code & 31] * 10_000L;
    }

    /**
     * How long a requester with a limited number of retries waits after another RNR NAK: five times
     * as long each time, up to 655.36 ms. The code is the least that it may wait (IBA vol. 1, RNR
     * NAK), so that few retries span a receive that is slightly late and one that is very.
     *
     * @param waits how often this request has waited since the last progress
     */
    static long nanos(int code, int waits) {
        long nanos = nanos(code);
        for (int i = 0; i < waits && nanos < LONGEST_NANOS; i++) {
            nanos *= GROWTH;
        }
        return Math.min(nanos, LONGEST_NANOS);
    }

    /** The local ack timeout of this 5-bit code, 4.096 us x 2^code; 0 is for ever. */
    public static long ackTimeoutNanos(int code) {
        return 4096L << (code & 31);
    }

    /**
     * How long a requester waits for an acknowledgement from another HCA: the local ack timeout, after
     * a wait in vain twice as long, after more of them four times. The timeout is the least that it may
     * wait, and four times that the most (IBA 9.7.6.1.3), so that few retries span a peer whose engine
     * has no core for a while.
     *
     * @param code of the local ack timeout, 1 to 31
     * @param waits how often it has waited in vain since the last progress
     */
    public static long ackTimeoutNanos(int code, int waits) {
        return ackTimeoutNanos(code) << Math.min(waits, MOST_DOUBLINGS);
    }
}
