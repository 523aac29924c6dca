package io.hyperverbs.upper.ipoib.frame;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import java.util.Random;

/** Packets of TCP as a network stack makes them, with 12 bytes of TCP options. */
final class TcpPackets {
    static final int IPV4_HEADERS = 20 + 32;
    static final int IPV6_HEADERS = 40 + 32;
    static final int SEQUENCE = 0xffff_ff00;

    private static final String IPV4 = "4502%04xfffe4000400600000a0100010a010002";
    private static final String IPV6 =
            "60012345%04x0640fe80000000000000000000000000000afe80000000000000000000000000000b";
    private static final String TCP = "30391451ffffff0000000123801001f500000000" + "0101080a1122334455667788";

    private TcpPackets() {}

    static int headers(int version) {
        return version == 4 ? IPV4_HEADERS : IPV6_HEADERS;
    }

    static int ipHeader(int version) {
        return version == 4 ? 20 : 40;
    }

    /** Without checksums, behind {@code before} other bytes. */
    static MemorySegment bare(int version, int payloadBytes, int before) {
        byte[] header = HexFormat.of()
                .parseHex(
                        version == 4
                                ? IPV4.formatted(IPV4_HEADERS + payloadBytes) + TCP
                                : IPV6.formatted(32 + payloadBytes) + TCP);
        byte[] payload = new byte[payloadBytes];
        new Random(5).nextBytes(payload);
        MemorySegment memory = Arena.ofAuto().allocate(before + header.length + payloadBytes);
        MemorySegment.copy(header, 0, memory, ValueLayout.JAVA_BYTE, before, header.length);
        MemorySegment.copy(payload, 0, memory, ValueLayout.JAVA_BYTE, before + header.length, payloadBytes);
        return memory;
    }

    /** Whether the checksums of IP and TCP are right, as the receiver's network stack looks at them. */
    static boolean isRight(MemorySegment memory, long packet) {
        int ip = IpPacket.headerBytes(memory, packet);
        int bytes = IpPacket.totalBytes(memory, packet) - ip;
        int start = InternetChecksum.pseudoHeader(
                IpPacket.source(memory, packet), IpPacket.destination(memory, packet), 6, bytes);
        return (IpPacket.version(memory, packet) == 6 || InternetChecksum.of(memory, packet, ip, 0) == 0)
                && InternetChecksum.of(memory, packet + ip, bytes, start) == 0;
    }
}
