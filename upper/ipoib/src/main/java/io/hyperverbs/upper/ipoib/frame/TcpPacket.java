package io.hyperverbs.upper.ipoib.frame;

import java.lang.foreign.MemorySegment;

/**
 * A segment of TCP in an IP packet: the header behind that of IP, big-endian (RFC 9293 §3.1), and the fields of IP that
 * change where a packet is cut or segments are joined. Read and written by a link, in packets that were looked at before.
 *
 * <pre>
 *  byte   +0               +2               +4               +6
 *    0  | ports                            | sequence number                 |
 *    8  | acknowledged number              | words, flags    | window        |  words of its header, upper 4 bits
 *   16  | checksum       | urgent          | options
 * </pre>
 *
 * Publishing: with the packet. Stateless.
 */
final class TcpPacket {
    static final int TCP = 6;
    static final int HEADER_BYTES = 20;

    /** Where the checksum is. */
    static final int CHECKSUM = 16;

    static final int FIN = 0x01;
    static final int PSH = 0x08;
    static final int ACK = 0x10;
    static final int CWR = 0x80;

    private static final int FLAGS = 13;

    private TcpPacket() {}

    static int headerBytes(MemorySegment memory, long tcp) {
        return (PacketBytes.getByte(memory, tcp + 12) >>> 4) * 4;
    }

    static int sequence(MemorySegment memory, long tcp) {
        return PacketBytes.getInt(memory, tcp + 4);
    }

    static void setSequence(MemorySegment memory, long tcp, int number) {
        PacketBytes.putInt(memory, tcp + 4, number);
    }

    static int flags(MemorySegment memory, long tcp) {
        return PacketBytes.getByte(memory, tcp + FLAGS);
    }

    static void setFlags(MemorySegment memory, long tcp, int flags) {
        PacketBytes.putByte(memory, tcp + FLAGS, flags);
    }

    static void setChecksum(MemorySegment memory, long tcp, int checksum) {
        PacketBytes.putShort(memory, tcp + CHECKSUM, checksum);
    }

    /**
     * The sum that TCP's checksum begins with.
     *
     * @param packet where the IP header begins
     * @param tcpBytes of header and payload
     */
    static int pseudoHeader(MemorySegment memory, long packet, int tcpBytes) {
        boolean isIpv4 = IpPacket.version(memory, packet) == 4;
        int addresses = isIpv4
                ? InternetChecksum.sum(memory, packet + 12, 8, 0)
                : InternetChecksum.sum(memory, packet + 8, 32, 0);
        return InternetChecksum.add(addresses, InternetChecksum.add(TCP, tcpBytes));
    }

    /** Sets the length of a packet in its IP header, which for IPv4 has a checksum of its own. */
    static void setTotalBytes(MemorySegment memory, long packet, int ipBytes, int totalBytes) {
        if (IpPacket.version(memory, packet) == 4) {
            PacketBytes.putShort(memory, packet + 2, totalBytes);
            PacketBytes.putShort(memory, packet + 10, 0);
            PacketBytes.putShort(memory, packet + 10, InternetChecksum.of(memory, packet, ipBytes, 0));
        } else {
            PacketBytes.putShort(memory, packet + 4, totalBytes - IpPacket.IPV6_HEADER_BYTES);
        }
    }

    /** Adds to the id of an IPv4 packet, whose checksum is not right then; IPv6 has none. */
    static void addToId(MemorySegment memory, long packet, int number) {
        if (IpPacket.version(memory, packet) == 4) {
            PacketBytes.putShort(memory, packet + 4, PacketBytes.getShort(memory, packet + 4) + number);
        }
    }
}
