package io.hyperverbs.hca.wire;

import static java.nio.ByteOrder.BIG_ENDIAN;

import java.lang.foreign.ValueLayout;

/** The element layouts of all packets: big-endian, at any alignment. */
final class NetworkBytes {
    static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(BIG_ENDIAN);
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(BIG_ENDIAN);
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(BIG_ENDIAN);

    /** The lower 24 bits of a word, which QPN, PSN, MSN and SRQ number have. */
    static final int LOW_24 = 0xff_ffff;

    private NetworkBytes() {}
}
