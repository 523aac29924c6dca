package io.hyperverbs.hca.qp;

/** Arithmetic on packet sequence numbers: 24 bits, wrapping. */
public final class Psn {
    public static final int MASK = 0xff_ffff;

    private Psn() {}

    public static int plus(int psn, long packets) {
        return (int) (psn + packets) & MASK;
    }

    /** How far {@code psn} lies behind {@code from}, from -2^23 to 2^23 - 1. */
    public static int distance(int psn, int from) {
        return (psn - from) << 8 >> 8;
    }

    /** Packets of a message: at least one, whatever it carries. */
    public static long packets(long lengthBytes, int mtuBytes) {
        return lengthBytes == 0 ? 1 : (lengthBytes + mtuBytes - 1) / mtuBytes;
    }
}
