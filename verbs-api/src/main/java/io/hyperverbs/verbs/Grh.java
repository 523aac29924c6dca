package io.hyperverbs.verbs;

import static java.nio.ByteOrder.BIG_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The global routing header that precedes each received datagram ({@code ibv_grh}): 40 bytes,
 * big-endian. Written by the HCA if the datagram came with one, else left as it was; read by the
 * guest, which finds in its completion whether it is valid.
 *
 * <pre>
 *  byte   +0              +4
 *    0  | version, class, flow | payloadBytes, nextHeader, hopLimit |  4+8+20 bits; short, byte, byte
 *    8  | source GID                    |
 *   24  | destination GID               |
 * </pre>
 *
 * Publishing: with the payload, before the completion. Stateless.
 */
public final class Grh {
    /** Bytes of each receive that hold no payload. */
    public static final int SIZE_BYTES = 40;

    /** What follows is an InfiniBand transport header. */
    public static final int NEXT_HEADER = 0x1b;

    private static final int IP_VERSION = 6;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(BIG_ENDIAN);
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(BIG_ENDIAN);

    private Grh() {}

    /** Writes the whole header; for the HCA. */
    public static void write(MemorySegment memory, long grh, int payloadBytes, Gid source, GlobalRoute route) {
        memory.set(INT, grh, IP_VERSION << 28 | (route.trafficClass() & 0xff) << 20 | (route.flowLabel() & 0xf_ffff));
        memory.set(SHORT, grh + 4, (short) payloadBytes);
        memory.set(ValueLayout.JAVA_BYTE, grh + 6, (byte) NEXT_HEADER);
        memory.set(ValueLayout.JAVA_BYTE, grh + 7, (byte) route.hopLimit());
        memory.set(LONG, grh + 8, source.prefix());
        memory.set(LONG, grh + 16, source.interfaceId());
        memory.set(LONG, grh + 24, route.destination().prefix());
        memory.set(LONG, grh + 32, route.destination().interfaceId());
    }

    /** 6 in a valid header. */
    public static int version(MemorySegment memory, long grh) {
        return memory.get(INT, grh) >>> 28;
    }

    public static int trafficClass(MemorySegment memory, long grh) {
        return memory.get(INT, grh) >>> 20 & 0xff;
    }

    public static int flowLabel(MemorySegment memory, long grh) {
        return memory.get(INT, grh) & 0xf_ffff;
    }

    /** Bytes behind the header: transport headers, payload with its padding, and check sum. */
    public static int payloadBytes(MemorySegment memory, long grh) {
        return memory.get(SHORT, grh + 4) & 0xffff;
    }

    public static int nextHeader(MemorySegment memory, long grh) {
        return memory.get(ValueLayout.JAVA_BYTE, grh + 6) & 0xff;
    }

    public static int hopLimit(MemorySegment memory, long grh) {
        return memory.get(ValueLayout.JAVA_BYTE, grh + 7) & 0xff;
    }

    public static Gid source(MemorySegment memory, long grh) {
        return new Gid(memory.get(LONG, grh + 8), memory.get(LONG, grh + 16));
    }

    public static Gid destination(MemorySegment memory, long grh) {
        return new Gid(memory.get(LONG, grh + 24), memory.get(LONG, grh + 32));
    }
}
