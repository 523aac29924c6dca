package io.hyperverbs.launcher.capture;

import io.hyperverbs.hca.wire.BthLayout;
import java.nio.ByteBuffer;

/**
 * Puts the IPv4 and UDP headers of RoCEv2 (IBA annex A17) around a datagram, BTH to ICRC, which a
 * UDP socket sends without showing them. IPv4 without options, DF set, with its checksum; UDP without
 * checksum, which is 0. For {@link CaptureInterface.LinkType#IPV4}. Stateless.
 */
public final class RocePacketRenderer {
    private static final int IPV4_BYTES = 20;
    private static final int UDP_BYTES = 8;

    /** Of IPv4 and UDP, before the datagram. */
    public static final int HEADER_BYTES = IPV4_BYTES + UDP_BYTES;

    private static final int VERSION_AND_LENGTH = 0x45;
    private static final short DONT_FRAGMENT = 0x4000;
    private static final byte TIME_TO_LIVE = 64;
    private static final byte UDP = 17;
    private static final int CHECKSUM_OFFSET = 10;

    private RocePacketRenderer() {}

    /** From which address and UDP port to which address; an address has its first byte uppermost. */
    public record Flow(int sourceIp, int destinationIp, int sourcePort) {}

    /** The IPv4 packet that carried the datagram, as the other says. */
    public static byte[] render(Flow flow, int identification, int typeOfService, byte[] datagram) {
        return render(flow, identification, typeOfService, datagram, datagram.length);
    }

    /**
     * The IPv4 packet that carried a datagram, as far as that is known.
     *
     * @param identification of the IPv4 header, 16 bits; the ICRC covers it
     * @param typeOfService of the IPv4 header, DSCP and ECN
     * @param datagram the first bytes of the datagram
     * @param wholeBytes of the datagram, at most 65507
     */
    public static byte[] render(Flow flow, int identification, int typeOfService, byte[] datagram, int wholeBytes) {
        int length = HEADER_BYTES + wholeBytes;
        if (length > 0xffff) {
            throw new IllegalArgumentException(wholeBytes + " bytes do not fit into a datagram of IPv4");
        }
        ByteBuffer packet = ByteBuffer.allocate(HEADER_BYTES + datagram.length)
                .put((byte) VERSION_AND_LENGTH)
                .put((byte) typeOfService)
                .putShort((short) length)
                .putShort((short) identification)
                .putShort(DONT_FRAGMENT)
                .put(TIME_TO_LIVE)
                .put(UDP)
                .putShort((short) 0)
                .putInt(flow.sourceIp())
                .putInt(flow.destinationIp())
                .putShort((short) flow.sourcePort())
                .putShort((short) BthLayout.UDP_PORT)
                .putShort((short) (length - IPV4_BYTES))
                .putShort((short) 0)
                .put(datagram);
        packet.putShort(CHECKSUM_OFFSET, (short) checksum(packet));
        return packet.array();
    }

    /** Of the IPv4 header, whose checksum is still 0 (RFC 1071). */
    private static int checksum(ByteBuffer packet) {
        int sum = 0;
        for (int at = 0; at < IPV4_BYTES; at += Short.BYTES) {
            sum += packet.getShort(at) & 0xffff;
        }
        sum = (sum & 0xffff) + (sum >>> 16);
        return ~(sum + (sum >>> 16));
    }
}
