package io.hyperverbs.upper.ipoib.frame;

import java.lang.foreign.MemorySegment;

/**
 * The checksum of IP, ICMP, UDP and TCP: the complement of the one's complement sum of 16-bit words in network order
 * (RFC 1071). Sums here are 16 bits, folded. Stateless.
 */
public final class InternetChecksum {
    private static final long LOW_HALF = 0xffff_ffffL;

    private InternetChecksum() {}

    /**
     * The one's complement sum of memory, not yet complemented; an odd last byte counts as the upper one of a word.
     *
     * @param lengthBytes even, unless it is the last part that is summed
     * @param start sum of what was before: 0, {@link #pseudoHeader}, or the sum of another part
     * @return 16 bits
     * @throws IndexOutOfBoundsException if the range is not in memory
     */
    public static int sum(MemorySegment memory, long at, long lengthBytes, int start) {
        long sum = start & 0xffff;
        long i = at;
        // Halves of 32 bits, so that no carry is lost: 2^31 steps fit.
        for (long end = at + (lengthBytes & ~7L); i < end; i += 8) {
            long eight = PacketBytes.getLong(memory, i);
            sum += (eight >>> 32) + (eight & LOW_HALF);
        }
        if ((lengthBytes & 4) != 0) {
            sum += PacketBytes.getInt(memory, i) & LOW_HALF;
            i += 4;
        }
        if ((lengthBytes & 2) != 0) {
            sum += PacketBytes.getShort(memory, i);
            i += 2;
        }
        if ((lengthBytes & 1) != 0) {
            sum += (long) PacketBytes.getByte(memory, i) << 8;
        }
        return fold(sum);
    }

    /**
     * What a header has as its checksum, its own field taken as zero: {@link #sum}, complemented. Over a packet with
     * its checksum in place it is 0.
     */
    public static int of(MemorySegment memory, long at, long lengthBytes, int start) {
        return ~sum(memory, at, lengthBytes, start) & 0xffff;
    }

    /**
     * The sum of the pseudo header that ICMPv6, UDP and TCP have before theirs (RFC 8200 §8.1, RFC 9293 §3.1).
     *
     * @param protocol number of the protocol, as IP's header has it
     * @param lengthBytes of that protocol's header and payload
     */
    public static int pseudoHeader(IpAddress source, IpAddress destination, int protocol, int lengthBytes) {
        return fold(words(source) + words(destination) + protocol + (lengthBytes & LOW_HALF));
    }

    /** The one's complement sum of two. */
    static int add(int one, int other) {
        return fold((long) one + other);
    }

    private static long words(IpAddress address) {
        if (address.isIpv4()) {
            return address.ipv4() & LOW_HALF;
        }
        return (address.high() >>> 32)
                + (address.high() & LOW_HALF)
                + (address.low() >>> 32)
                + (address.low() & LOW_HALF);
    }

    /**
     * Completes a checksum that a network stack left to the device ({@code VIRTIO_NET_HDR_F_NEEDS_CSUM}; virtio 1.2
     * §5.1.6.2): the field has the sum of the pseudo header already.
     *
     * @param lengthBytes of the packet
     * @param startBytes where the sum begins, from the packet's first byte ({@code csum_start})
     * @param offsetBytes where the field is, from there ({@code csum_offset})
     * @return false if these do not fit into the packet, or the packet not into memory; then nothing is written
     */
    public static boolean complete(
            MemorySegment memory, long packet, long lengthBytes, int startBytes, int offsetBytes) {
        if (!PacketBytes.isInside(memory, packet, lengthBytes)
                || startBytes < 0
                || offsetBytes < 0
                || (long) startBytes + offsetBytes + 2 > lengthBytes) {
            return false;
        }
        int checksum = of(memory, packet + startBytes, lengthBytes - startBytes, 0);
        // UDP has 0 for "no checksum" (RFC 768); to the others both zeros are the same.
        PacketBytes.putShort(memory, packet + startBytes + offsetBytes, checksum == 0 ? 0xffff : checksum);
        return true;
    }

    private static int fold(long sum) {
        long folded = (sum >>> 32) + (sum & LOW_HALF);
        while (folded >>> 16 != 0) {
            folded = (folded >>> 16) + (folded & 0xffff);
        }
        return (int) folded;
    }
}
