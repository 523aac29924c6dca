package io.hyperverbs.hca.wire;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * The invariant CRC of RoCEv2 packets over IPv4, in one native segment of packets that no guest sees
 * (IBA annex A17.3.3). It is a CRC-32 of eight bytes of ones, IPv4 and UDP header, and the packet
 * from BTH to padding, with ones for what may change on the way: type of service, time to live,
 * both checksums, and the byte of the BTH that has FECN and BECN. It follows the padding,
 * little-endian.
 *
 * <p>A UDP socket shows its owner no IPv4 header, so the header is rebuilt: no options, one
 * fragment, DF set, as adapters send it too. What cannot be known is the identification. Linux
 * writes 0 for a socket that is not connected, or 0, 1, 2, ... into the packets that it cuts out of
 * one batch; connected sockets and other senders count, or draw. So {@link #identification} solves
 * for it: a CRC is linear, so that the difference to the CRC with identification 0 depends on the
 * identification and the length alone, and goes back to 16 bits of the header if, and only if, there
 * is an identification that explains it.
 *
 * <p>Whoever takes any identification ({@link #matches}) lets an error pass once in 65536, on top
 * of the 16 bits of the UDP checksum; a single flipped bit never passes.
 *
 * <p>For one thread at a time; allocates nothing after construction.
 */
public final class Icrc {
    public static final int SIZE_BYTES = 4;

    /** The longest packet that is checked, BTH to padding: the largest MTU and the longest headers. */
    public static final int MAX_PACKET_BYTES = 4096 + PacketTable.MAX_HEADER_BYTES;

    /** No identification explains the ICRC: the packet is damaged. */
    public static final int NO_IDENTIFICATION = -1;

    private static final int LRH_BYTES = 8;
    private static final int IPV4_BYTES = 20;
    private static final int UDP_BYTES = 8;
    private static final int VERSION_AND_TOS = 0x45ff_0000;
    private static final int DONT_FRAGMENT = 0x4000;
    private static final int TTL_PROTOCOL_CHECKSUM = 0xff11_ffff;
    private static final int CHECKSUM = 0xffff;
    private static final int IDENTIFICATION_VALUES = 1 << 16;

    /** Bytes from the identification to the end of the UDP header. */
    private static final int AFTER_IDENTIFICATION = IPV4_BYTES - 4 + UDP_BYTES;

    private static final int MASKED_BYTES = LRH_BYTES + IPV4_BYTES + UDP_BYTES + BthLayout.SIZE_BYTES;
    private static final ValueLayout.OfInt STORED = ValueLayout.JAVA_INT_UNALIGNED.withOrder(LITTLE_ENDIAN);
    private static final CrcRewind REWIND = new CrcRewind(AFTER_IDENTIFICATION + MAX_PACKET_BYTES);

    private final MemorySegment packets;
    private final ByteBuffer view;
    private final ByteBuffer masked = ByteBuffer.allocate(MASKED_BYTES).order(BIG_ENDIAN);
    private final CRC32 crc = new CRC32();

    /** Of packets in {@code packets}, a native segment of less than 2 GiB. */
    public Icrc(MemorySegment packets) {
        this.packets = packets;
        this.view = packets.asByteBuffer();
    }

    /**
     * Computes the ICRC of the packet that begins with the BTH at {@code offset}. Numbers of more
     * than 16 bits are cut, but for the addresses.
     *
     * @param lengthWithoutIcrc bytes from the BTH to the end of the padding, at least 12
     * @param sourceIp IPv4 address, its first byte uppermost
     */
    public int compute(
            long offset,
            int lengthWithoutIcrc,
            int sourceIp,
            int destinationIp,
            int ipIdentification,
            int sourcePort,
            int destinationPort) {
        int udpBytes = UDP_BYTES + lengthWithoutIcrc + SIZE_BYTES;
        masked.putLong(0, -1L);
        masked.putInt(8, VERSION_AND_TOS | ((IPV4_BYTES + udpBytes) & 0xffff));
        masked.putInt(12, ipIdentification << 16 | DONT_FRAGMENT);
        masked.putInt(16, TTL_PROTOCOL_CHECKSUM);
        masked.putInt(20, sourceIp);
        masked.putInt(24, destinationIp);
        masked.putInt(28, sourcePort << 16 | (destinationPort & 0xffff));
        masked.putInt(32, udpBytes << 16 | CHECKSUM);
        masked.putInt(36, packets.get(NetworkBytes.INT, offset));
        masked.putInt(40, packets.get(NetworkBytes.INT, offset + 4) | 0xff00_0000);
        masked.putInt(44, packets.get(NetworkBytes.INT, offset + 8));
        crc.reset();
        crc.update(masked.array(), 0, MASKED_BYTES);
        int end = (int) offset + lengthWithoutIcrc;
        crc.update(view.limit(end).position((int) offset + BthLayout.SIZE_BYTES));
        return (int) crc.getValue();
    }

    /** Computes the ICRC and puts it behind the padding; arguments as for {@link #compute}. */
    public void store(
            long offset,
            int lengthWithoutIcrc,
            int sourceIp,
            int destinationIp,
            int ipIdentification,
            int sourcePort,
            int destinationPort) {
        int icrc = compute(
                offset, lengthWithoutIcrc, sourceIp, destinationIp, ipIdentification, sourcePort, destinationPort);
        packets.set(STORED, offset + lengthWithoutIcrc, icrc);
    }

    /**
     * Solves for the identification with which the ICRC behind the padding fits, which a packet
     * without error always has.
     *
     * @param lengthWithoutIcrc any number; a packet has 12 to {@link #MAX_PACKET_BYTES}
     * @param likely 0 to 65535, tried first: solving costs as much as half the CRC
     * @return 0 to 65535, or {@link #NO_IDENTIFICATION}
     */
    public int identification(
            long offset,
            int lengthWithoutIcrc,
            int sourceIp,
            int destinationIp,
            int likely,
            int sourcePort,
            int destinationPort) {
        if (lengthWithoutIcrc < BthLayout.SIZE_BYTES || lengthWithoutIcrc > MAX_PACKET_BYTES) {
            return NO_IDENTIFICATION;
        }
        int stored = packets.get(STORED, offset + lengthWithoutIcrc);
        int difference = stored
                ^ compute(offset, lengthWithoutIcrc, sourceIp, destinationIp, likely, sourcePort, destinationPort);
        if (difference == 0) {
            return likely;
        }
        int field = REWIND.before(difference, AFTER_IDENTIFICATION + lengthWithoutIcrc);
        if (Integer.compareUnsigned(field, IDENTIFICATION_VALUES) >= 0) {
            return NO_IDENTIFICATION;
        }
        // The first byte of the field is the lower one here.
        return ((field & 0xff) << 8 | field >>> 8) ^ likely;
    }

    /** Whether the ICRC fits with any identification; see above what that lets pass. */
    public boolean matches(
            long offset,
            int lengthWithoutIcrc,
            int sourceIp,
            int destinationIp,
            int likely,
            int sourcePort,
            int destinationPort) {
        return identification(offset, lengthWithoutIcrc, sourceIp, destinationIp, likely, sourcePort, destinationPort)
                != NO_IDENTIFICATION;
    }
}
