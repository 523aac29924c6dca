package io.hyperverbs.upper.ipoib.frame;

import java.lang.foreign.MemorySegment;

/**
 * The header of an IPv4 or IPv6 packet, as far as a link needs it: big-endian (RFC 791 §3.1, RFC 8200 §3). Written by a
 * network stack, whose bytes may be anything; read here after {@link #isWellFormed}, and not changed.
 *
 * <pre>
 *  byte   +0               +2               +4               +6
 *    0  | 4, words, class | total bytes     | id             | flags, fragment |  IPv4; words of its header, 4 bits
 *    8  | ttl, protocol   | checksum        | source                           |
 *   16  | destination                       | options                          |
 *
 *    0  | 6, class, flow                    | payload bytes  | next, hop limit |  IPv6
 *    8  | source
 *   24  | destination
 * </pre>
 *
 * Stateless. All methods but {@link #isWellFormed} and {@link #isMembershipReport} are for packets that are
 * well-formed.
 */
public final class IpPacket {
    public static final int IPV4_HEADER_BYTES = 20;
    public static final int IPV6_HEADER_BYTES = 40;

    public static final int IGMP = 2;
    public static final int ICMPV6 = 58;

    private static final int HOP_BY_HOP = 0;
    private static final int FRAGMENT_OFFSET = 0x1fff;
    private static final int MORE_FRAGMENTS = 0x2000;

    private IpPacket() {}

    /**
     * Whether it is a packet whose header and length are in memory. Never throws, whatever the bytes and numbers are.
     * An IPv6 packet from or to {@code ::ffff:a.b.c.d} is not: tables here would take it for that IPv4 node's.
     *
     * @param lengthBytes that were received; the packet may be shorter, the rest is padding
     */
    public static boolean isWellFormed(MemorySegment memory, long packet, long lengthBytes) {
        if (!PacketBytes.isInside(memory, packet, lengthBytes) || lengthBytes < IPV4_HEADER_BYTES) {
            return false;
        }
        return switch (version(memory, packet)) {
            case 4 ->
                headerBytes(memory, packet) >= IPV4_HEADER_BYTES
                        && headerBytes(memory, packet) <= totalBytes(memory, packet)
                        && totalBytes(memory, packet) <= lengthBytes;
            case 6 ->
                lengthBytes >= IPV6_HEADER_BYTES
                        && totalBytes(memory, packet) <= lengthBytes
                        && !isMapped(memory, packet + 8)
                        && !isMapped(memory, packet + 24);
            default -> false;
        };
    }

    /** 4 or 6. */
    public static int version(MemorySegment memory, long packet) {
        return PacketBytes.getByte(memory, packet) >>> 4;
    }

    /** Which {@link Encapsulation} it has. */
    public static int type(MemorySegment memory, long packet) {
        return isIpv4(memory, packet) ? Encapsulation.IPV4 : Encapsulation.IPV6;
    }

    /** Bytes of the header; of IPv6, without those of extensions. */
    public static int headerBytes(MemorySegment memory, long packet) {
        return isIpv4(memory, packet) ? (PacketBytes.getByte(memory, packet) & 0xf) * 4 : IPV6_HEADER_BYTES;
    }

    /** Bytes of header and payload. */
    public static int totalBytes(MemorySegment memory, long packet) {
        return isIpv4(memory, packet)
                ? PacketBytes.getShort(memory, packet + 2)
                : IPV6_HEADER_BYTES + PacketBytes.getShort(memory, packet + 4);
    }

    /** The protocol of the payload, or IPv6's next header. */
    public static int protocol(MemorySegment memory, long packet) {
        return PacketBytes.getByte(memory, packet + (isIpv4(memory, packet) ? 9 : 6));
    }

    /** Whether it is a part of an IPv4 packet; those of IPv6 have a next header of their own. */
    static boolean isFragment(MemorySegment memory, long packet) {
        return isIpv4(memory, packet)
                && (PacketBytes.getShort(memory, packet + 6) & (MORE_FRAGMENTS | FRAGMENT_OFFSET)) != 0;
    }

    /** Whether two headers without options are the same but for lengths, ids and checksums. */
    static boolean isSameButForLengthAndId(MemorySegment memory, long one, long other) {
        if (isIpv4(memory, one)) {
            return PacketBytes.getShort(memory, one) == PacketBytes.getShort(memory, other)
                    && PacketBytes.getInt(memory, one + 6) == PacketBytes.getInt(memory, other + 6)
                    && PacketBytes.getLong(memory, one + 12) == PacketBytes.getLong(memory, other + 12);
        }
        return PacketBytes.getInt(memory, one) == PacketBytes.getInt(memory, other)
                && PacketBytes.getShort(memory, one + 6) == PacketBytes.getShort(memory, other + 6)
                && MemorySegment.mismatch(
                                memory, one + 8, one + IPV6_HEADER_BYTES, memory, other + 8, other + IPV6_HEADER_BYTES)
                        < 0;
    }

    public static IpAddress source(MemorySegment memory, long packet) {
        return isIpv4(memory, packet)
                ? IpAddress.readIpv4(memory, packet + 12)
                : IpAddress.readIpv6(memory, packet + 8);
    }

    public static IpAddress destination(MemorySegment memory, long packet) {
        return isIpv4(memory, packet)
                ? IpAddress.readIpv4(memory, packet + 16)
                : IpAddress.readIpv6(memory, packet + 24);
    }

    /** {@link #destination}'s first half, for who must not allocate. */
    public static long destinationHigh(MemorySegment memory, long packet) {
        return isIpv4(memory, packet) ? 0 : PacketBytes.getLong(memory, packet + 24);
    }

    /** {@link #destination}'s second half. */
    public static long destinationLow(MemorySegment memory, long packet) {
        return isIpv4(memory, packet)
                ? IpAddress.ipv4Low(PacketBytes.getInt(memory, packet + 16))
                : PacketBytes.getLong(memory, packet + 32);
    }

    /**
     * Whether a host announces by it which groups it receives: a report or leave of IGMP (RFC 9776 §4), or a report
     * or done of MLD (RFC 2710 §3, RFC 9777 §5), which come behind a hop-by-hop header with a router alert. Never
     * throws.
     */
    public static boolean isMembershipReport(MemorySegment memory, long packet, long lengthBytes) {
        if (!isWellFormed(memory, packet, lengthBytes)) {
            return false;
        }
        long end = packet + totalBytes(memory, packet);
        long payload = packet + headerBytes(memory, packet);
        int protocol = protocol(memory, packet);
        if (isIpv4(memory, packet)) {
            // Only the first fragment begins with the protocol's header.
            return protocol == IGMP
                    && payload < end
                    && (PacketBytes.getShort(memory, packet + 6) & FRAGMENT_OFFSET) == 0
                    && isIgmpReport(PacketBytes.getByte(memory, payload));
        }
        if (protocol == HOP_BY_HOP && payload + 2 <= end) {
            protocol = PacketBytes.getByte(memory, payload);
            payload += (PacketBytes.getByte(memory, payload + 1) + 1) * 8L;
        }
        return protocol == ICMPV6 && payload < end && isMldReport(PacketBytes.getByte(memory, payload));
    }

    private static boolean isIpv4(MemorySegment memory, long packet) {
        return version(memory, packet) == 4;
    }

    private static boolean isMapped(MemorySegment memory, long address) {
        return IpAddress.isIpv4(PacketBytes.getLong(memory, address), PacketBytes.getLong(memory, address + 8));
    }

    private static boolean isIgmpReport(int type) {
        return switch (type) {
            // Report of version 1, of version 2, leave of version 2, report of version 3.
            case 0x12, 0x16, 0x17, 0x22 -> true;
            default -> false;
        };
    }

    private static boolean isMldReport(int type) {
        return switch (type) {
            // Report of version 1, done, report of version 2.
            case 131, 132, 143 -> true;
            default -> false;
        };
    }
}
