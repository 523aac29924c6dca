package io.hyperverbs.hca.wire;

import static io.hyperverbs.hca.wire.NetworkBytes.BYTE;
import static io.hyperverbs.hca.wire.NetworkBytes.INT;
import static io.hyperverbs.hca.wire.NetworkBytes.LOW_24;
import static io.hyperverbs.hca.wire.NetworkBytes.SHORT;

import java.lang.foreign.MemorySegment;

/**
 * Base transport header: 12 bytes, big-endian, any alignment; every packet begins with it (IBA
 * vol. 1, 9.2). Written by the HCA that sends, read by the one that receives.
 *
 * <pre>
 *  byte   +0       +1              +2
 *    0  | opcode | SE M Pad TVer | P_Key         |  1, 1, 2 and 4 bits in byte 1
 *    4  | F B 0  | destination QPN               |  FECN, BECN, 6 bits reserved (masked in the ICRC)
 *    8  | A 0    | PSN                           |  AckReq, 7 bits reserved
 * </pre>
 *
 * Reserved bits are written as zero and not looked at. Publishing: the packet as a whole is sent.
 */
public final class BthLayout {
    public static final int SIZE_BYTES = 12;

    /** Destination port of UDP datagrams that begin with a BTH. */
    public static final int UDP_PORT = 4791;

    /** Flag SE: the receiver's armed CQ gets a solicited event. */
    public static final int SOLICITED = 0x80;

    /** Flag MigReq: the path is, or shall be, the migrated one. */
    public static final int MIGRATION_REQUEST = 0x40;

    /** Flag FECN: a switch on the way was congested. RoCEv2 uses the ECN bits of IP in its place. */
    public static final int FORWARD_CONGESTION = 0x8000;

    /** Flag BECN: this packet is a notification of congestion. */
    public static final int BACKWARD_CONGESTION = 0x4000;

    /** Flag AckReq: the responder shall acknowledge this packet. */
    public static final int ACK_REQUEST = 0x80_0000;

    public static final int KNOWN_FLAGS =
            SOLICITED | MIGRATION_REQUEST | FORWARD_CONGESTION | BACKWARD_CONGESTION | ACK_REQUEST;

    /** The P_Key of the default partition, full member. */
    public static final int DEFAULT_PKEY = 0xffff;

    static final long OPCODE_OFFSET = 0;
    static final long FLAGS_OFFSET = 1;
    static final long PKEY_OFFSET = 2;
    static final long CONGESTION_OFFSET = 4;
    static final long ACK_REQUEST_OFFSET = 8;
    private static final long QPN_WORD_OFFSET = 4;
    private static final long PSN_WORD_OFFSET = 8;

    private BthLayout() {}

    /**
     * Writes the whole header, with transport version 0.
     *
     * @param flags any of {@link #KNOWN_FLAGS}; others are not written
     * @param padCount 0 to 3 bytes after the payload, up to a multiple of four
     * @param pkey 16 bits
     * @param destinationQpn 24 bits
     * @param psn 24 bits
     */
    public static void write(
            MemorySegment packet,
            long bth,
            int opcode,
            int flags,
            int padCount,
            int pkey,
            int destinationQpn,
            int psn) {
        int first = opcode << 24 | (flags & 0xc0) << 16 | (padCount & 3) << 20 | (pkey & 0xffff);
        packet.set(INT, bth, first);
        packet.set(INT, bth + QPN_WORD_OFFSET, (flags & 0xc000) << 16 | (destinationQpn & LOW_24));
        packet.set(INT, bth + PSN_WORD_OFFSET, (flags & ACK_REQUEST) << 8 | (psn & LOW_24));
    }

    public static int opcode(MemorySegment packet, long bth) {
        return packet.get(BYTE, bth + OPCODE_OFFSET) & 0xff;
    }

    public static boolean isSolicited(MemorySegment packet, long bth) {
        return (packet.get(BYTE, bth + FLAGS_OFFSET) & 0x80) != 0;
    }

    public static boolean isMigrationRequest(MemorySegment packet, long bth) {
        return (packet.get(BYTE, bth + FLAGS_OFFSET) & 0x40) != 0;
    }

    public static int padCount(MemorySegment packet, long bth) {
        return packet.get(BYTE, bth + FLAGS_OFFSET) >> 4 & 3;
    }

    /** Transport header version; a packet with another than 0 is dropped. */
    public static int version(MemorySegment packet, long bth) {
        return packet.get(BYTE, bth + FLAGS_OFFSET) & 0xf;
    }

    public static int pkey(MemorySegment packet, long bth) {
        return packet.get(SHORT, bth + PKEY_OFFSET) & 0xffff;
    }

    public static boolean isForwardCongestion(MemorySegment packet, long bth) {
        return (packet.get(BYTE, bth + CONGESTION_OFFSET) & 0x80) != 0;
    }

    public static boolean isBackwardCongestion(MemorySegment packet, long bth) {
        return (packet.get(BYTE, bth + CONGESTION_OFFSET) & 0x40) != 0;
    }

    public static int destinationQpn(MemorySegment packet, long bth) {
        return packet.get(INT, bth + QPN_WORD_OFFSET) & LOW_24;
    }

    public static boolean isAckRequest(MemorySegment packet, long bth) {
        return (packet.get(BYTE, bth + ACK_REQUEST_OFFSET) & 0x80) != 0;
    }

    public static int psn(MemorySegment packet, long bth) {
        return packet.get(INT, bth + PSN_WORD_OFFSET) & LOW_24;
    }
}
