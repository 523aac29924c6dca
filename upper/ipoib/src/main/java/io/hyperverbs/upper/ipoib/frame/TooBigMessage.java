package io.hyperverbs.upper.ipoib.frame;

import java.lang.foreign.MemorySegment;

/**
 * Says to the sender of a packet that it is too long for the way to its destination: "fragmentation needed" of ICMP (RFC
 * 792, RFC 1191 §4) and "packet too big" of ICMPv6 (RFC 4443 §3.2). Written by a link for the network stack of its own
 * node; its source is the packet's destination, as a node takes no packet from outside with an address of its own.
 *
 * <pre>
 *  byte   +0               +2               +4               +6
 *    0  | IP header, from the packet's destination to its source
 *    h  | type, code     | checksum       | 0              | MTU            |  ICMP: MTU of 16 bits
 *    h  | type, code     | checksum       | MTU                             |  ICMPv6
 *  h+8  | the packet, as much as fits
 * </pre>
 *
 * Publishing: with the packet. Stateless.
 */
public final class TooBigMessage {
    /** The longest that is written. */
    public static final int MOST_BYTES = IpPacket.IPV6_HEADER_BYTES + 8 + 512;

    private static final int MOST_QUOTED_BYTES = 512;
    private static final int ICMP_HEADER_BYTES = 8;
    private static final int ICMP = 1;
    private static final int UNREACHABLE = 3;
    private static final int FRAGMENTATION_NEEDED = 4;
    private static final int PACKET_TOO_BIG = 2;
    private static final int HOP_LIMIT = 64;

    private TooBigMessage() {}

    /**
     * Writes the message.
     *
     * @param packet where a well-formed packet begins
     * @param mtuBytes of the longest packet that could go
     * @param to where the message goes, with room for {@link #MOST_BYTES}
     * @return its bytes
     */
    public static int write(MemorySegment memory, long packet, int mtuBytes, MemorySegment to) {
        int quoted = Math.min(MOST_QUOTED_BYTES, IpPacket.totalBytes(memory, packet));
        boolean isIpv4 = IpPacket.version(memory, packet) == 4;
        int header = isIpv4 ? IpPacket.IPV4_HEADER_BYTES : IpPacket.IPV6_HEADER_BYTES;
        int bytes = ICMP_HEADER_BYTES + quoted;
        IpAddress source = IpPacket.destination(memory, packet);
        IpAddress destination = IpPacket.source(memory, packet);
        PacketBytes.putShort(to, header, isIpv4 ? UNREACHABLE << 8 | FRAGMENTATION_NEEDED : PACKET_TOO_BIG << 8);
        PacketBytes.putShort(to, header + 2, 0);
        PacketBytes.putInt(to, header + 4, mtuBytes);
        MemorySegment.copy(memory, packet, to, header + ICMP_HEADER_BYTES, quoted);
        if (isIpv4) {
            writeIpv4(to, bytes, source, destination);
        } else {
            writeIpv6(to, bytes, source, destination);
        }
        int start = isIpv4 ? 0 : InternetChecksum.pseudoHeader(source, destination, IpPacket.ICMPV6, bytes);
        PacketBytes.putShort(to, header + 2, InternetChecksum.of(to, header, bytes, start));
        return header + bytes;
    }

    private static void writeIpv4(MemorySegment to, int payloadBytes, IpAddress source, IpAddress destination) {
        PacketBytes.putShort(to, 0, 0x4500);
        PacketBytes.putShort(to, 2, IpPacket.IPV4_HEADER_BYTES + payloadBytes);
        PacketBytes.putInt(to, 4, 0);
        PacketBytes.putShort(to, 8, HOP_LIMIT << 8 | ICMP);
        PacketBytes.putShort(to, 10, 0);
        source.writeIpv4(to, 12);
        destination.writeIpv4(to, 16);
        PacketBytes.putShort(to, 10, InternetChecksum.of(to, 0, IpPacket.IPV4_HEADER_BYTES, 0));
    }

    private static void writeIpv6(MemorySegment to, int payloadBytes, IpAddress source, IpAddress destination) {
        PacketBytes.putInt(to, 0, 6 << 28);
        PacketBytes.putShort(to, 4, payloadBytes);
        PacketBytes.putShort(to, 6, IpPacket.ICMPV6 << 8 | HOP_LIMIT);
        source.writeIpv6(to, 8);
        destination.writeIpv6(to, 24);
    }
}
