package io.hyperverbs.upper.ipoib.frame;

import java.lang.foreign.MemorySegment;

/**
 * The header between InfiniBand and IP: 4 bytes, big-endian (RFC 4391 §6). Written by the sender of a packet, read by
 * its receiver.
 *
 * <pre>
 *  byte   +0              +2
 *    0  | type          | reserved      |  type as on Ethernet; reserved is sent as zero, and not looked at
 * </pre>
 *
 * Publishing: with the packet. Stateless.
 */
public final class Encapsulation {
    public static final int SIZE_BYTES = 4;

    public static final int IPV4 = 0x0800;
    public static final int ARP = 0x0806;
    public static final int IPV6 = 0x86dd;

    private Encapsulation() {}

    /**
     * Writes the header.
     *
     * @param type {@link #IPV4}, {@link #ARP} or {@link #IPV6}
     */
    public static void write(MemorySegment memory, long at, int type) {
        PacketBytes.putInt(memory, at, type << 16);
    }

    /** What follows; 16 bits, possibly none of the constants here. */
    public static int type(MemorySegment memory, long at) {
        return PacketBytes.getShort(memory, at);
    }
}
