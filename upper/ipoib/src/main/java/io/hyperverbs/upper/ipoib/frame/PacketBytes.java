package io.hyperverbs.upper.ipoib.frame;

import static java.nio.ByteOrder.BIG_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Numbers in network order, at any alignment; the smaller ones without a sign. */
final class PacketBytes {
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(BIG_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(BIG_ENDIAN);

    private PacketBytes() {}

    /** Whether all of it is in memory, whatever the numbers are. */
    static boolean isInside(MemorySegment memory, long at, long lengthBytes) {
        long limit = memory.byteSize();
        return at >= 0 && lengthBytes >= 0 && at <= limit && lengthBytes <= limit - at;
    }

    static int getByte(MemorySegment memory, long at) {
        return memory.get(ValueLayout.JAVA_BYTE, at) & 0xff;
    }

    static int getShort(MemorySegment memory, long at) {
        return memory.get(SHORT, at) & 0xffff;
    }

    static int getInt(MemorySegment memory, long at) {
        return memory.get(INT, at);
    }

    static long getLong(MemorySegment memory, long at) {
        return memory.get(LONG, at);
    }

    static void putByte(MemorySegment memory, long at, int value) {
        memory.set(ValueLayout.JAVA_BYTE, at, (byte) value);
    }

    static void putShort(MemorySegment memory, long at, int value) {
        memory.set(SHORT, at, (short) value);
    }

    static void putInt(MemorySegment memory, long at, int value) {
        memory.set(INT, at, value);
    }

    static void putLong(MemorySegment memory, long at, long value) {
        memory.set(LONG, at, value);
    }
}
