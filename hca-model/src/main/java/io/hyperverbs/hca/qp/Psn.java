package io.hyperverbs.hca.qp;

/** Arithmetic on packet sequence numbers: 24 bits, wrapping. */
public final class Psn {
    public static final int MASK = 0xff_ffff;

    private Psn() {}

    public static int plus(int psn, long packets) {
        return (int) (psn + packets) & MASK;
    }

    /** Packets of a message: at least one, whatever it carries. */
    public static long packets(long lengthBytes, int mtuBytes) {
        return lengthBytes == 0 ? 1 : (lengthBytes + mtuBytes - 1) / mtuBytes;
    }
}
