package io.hyperverbs.frontend.ip;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import io.hyperverbs.verbs.ip.PacketOffload;
import java.lang.foreign.MemorySegment;

/**
 * A {@code struct virtio_net_hdr}, 10 bytes, in the computer's byte order (virtio 1.2 §5.1.6, Linux's tuntap.rst). The kernel
 * writes it before each packet that it sends, a program before each that it gives.
 *
 * <pre>
 *  byte  0 flags: 1 the checksum is left   1 segments: 0 none, 1 TCP of IPv4, 4 TCP of IPv6
 *        2 bytes of headers   4 bytes of a segment   6 where the checksum starts   8 its field, from there
 * </pre>
 */
final class OffloadHeader {
    private static final int NEEDS_CHECKSUM = 1;
    private static final int TCP_IPV4 = 1;
    private static final int TCP_IPV6 = 4;

    private OffloadHeader() {}

    static void read(MemorySegment header, PacketOffload to) {
        PacketOffload _ = to.clear();
        if ((header.get(JAVA_BYTE, 0) & NEEDS_CHECKSUM) != 0) {
            PacketOffload _ = to.lackChecksum(number(header, 6), number(header, 8));
        }
        int segments = header.get(JAVA_BYTE, 1);
        if (segments == TCP_IPV4 || segments == TCP_IPV6) {
            PacketOffload _ = to.hold(number(header, 2), number(header, 4));
        }
    }

    /**
     * Writes all of it.
     *
     * @param version of IP, which matters for segments
     */
    static void write(MemorySegment header, PacketOffload from, int version) {
        header.set(JAVA_BYTE, 0, (byte) (from.lacksChecksum() ? NEEDS_CHECKSUM : 0));
        int segments = version == 4 ? TCP_IPV4 : TCP_IPV6;
        header.set(JAVA_BYTE, 1, (byte) (from.holdsSegments() ? segments : 0));
        header.set(JAVA_SHORT_UNALIGNED, 2, (short) from.headerBytes());
        header.set(JAVA_SHORT_UNALIGNED, 4, (short) from.segmentBytes());
        header.set(JAVA_SHORT_UNALIGNED, 6, (short) from.checksumStart());
        header.set(JAVA_SHORT_UNALIGNED, 8, (short) from.checksumField());
    }

    private static int number(MemorySegment header, long at) {
        return Short.toUnsignedInt(header.get(JAVA_SHORT_UNALIGNED, at));
    }
}
