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
    // A socket does not show what is left of them.
    private static final int IPV4_HOPS = 64;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(BIG_ENDIAN);
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(BIG_ENDIAN);

    private Grh() {}

    /** Writes the whole header; for the HCA. */
    public static void write(MemorySegment memory, long grh, int payloadBytes, Gid source, GlobalRoute route) {
        writeClass(memory, grh, route.trafficClass(), route.flowLabel());
        writeRest(memory, grh, payloadBytes, route.hopLimit());
        writeGid(memory, grh + 8, source.prefix(), source.interfaceId());
        writeGid(
                memory,
                grh + 24,
                route.destination().prefix(),
                route.destination().interfaceId());
    }

    /**
     * Writes the header of a datagram that came by IPv4, as its GIDs have it; for the HCA.
     *
     * @param source IPv4 address, its first byte in the highest bits
     * @param destination likewise; of a group, the GID that stands for it is written
     */
    public static void writeIpv4(
            MemorySegment memory, long grh, int payloadBytes, int trafficClass, int source, int destination) {
        writeClass(memory, grh, trafficClass, 0);
        writeRest(memory, grh, payloadBytes, IPV4_HOPS);
        writeGid(memory, grh + 8, 0, Gid.ipv4InterfaceId(source));
        writeGid(memory, grh + 24, 0, Gid.ipv4InterfaceId(destination));
    }

    private static void writeClass(MemorySegment memory, long grh, int trafficClass, int flowLabel) {
        memory.set(INT, grh, IP_VERSION << 28 | (trafficClass & 0xff) << 20 | (flowLabel & 0xf_ffff));
    }

    private static void writeRest(MemorySegment memory, long grh, int payloadBytes, int hopLimit) {
        memory.set(SHORT, grh + 4, (short) payloadBytes);
        memory.set(ValueLayout.JAVA_BYTE, grh + 6, (byte) NEXT_HEADER);
        memory.set(ValueLayout.JAVA_BYTE, grh + 7, (byte) hopLimit);
    }

    private static void writeGid(MemorySegment memory, long at, long prefix, long interfaceId) {
        memory.set(LONG, at, prefix);
        memory.set(LONG, at + 8, interfaceId);
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
