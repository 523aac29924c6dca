package io.hyperverbs.upper.ipoib.frame;

import io.hyperverbs.verbs.Gid;
import java.lang.foreign.MemorySegment;
import java.util.Locale;

/**
 * The link-layer address of a node: 20 bytes, big-endian (RFC 4391 §9.1.1). Written by the node that has it, into ARP
 * and neighbour discovery; read by those that send to it, who find LID and path of the GID by subnet administration.
 *
 * <pre>
 *  byte   +0       +1
 *    0  | flags  | qpn (24 bits)        |  flags: RFC 4755 §3.1; zero without connected mode
 *    4  | GID                           |
 * </pre>
 *
 * Publishing: with the packet that it is in. Immutable.
 *
 * @param flags which connected modes the node offers: {@link #RC}, {@link #UC}; other bits are reserved and kept
 * @param qpn of the node's queue pair of unreliable datagrams, 24 bits
 * @param gid of its port
 */
public record HardwareAddress(int flags, int qpn, Gid gid) {
    public static final int SIZE_BYTES = 20;

    /** The node accepts reliable connections (RFC 4755 §3.1). */
    public static final int RC = 0x80;

    /** The node accepts unreliable connections. */
    public static final int UC = 0x40;

    /** The QPN of datagrams to a group. */
    public static final int MULTICAST_QPN = 0xff_ffff;

    /** All zeros: what a request has in place of the address it asks for. */
    public static final HardwareAddress NONE = new HardwareAddress(0, 0, new Gid(0, 0));

    // QP 0 and 1 are those of management; IP sent there would reach agents of the fabric.
    private static final int LAST_SPECIAL_QPN = 1;

    /**
     * @throws IllegalArgumentException if flags are more than 8 bits, or the QPN more than 24
     */
    public HardwareAddress {
        if ((flags & ~0xff) != 0) {
            throw new IllegalArgumentException("flags 0x" + Integer.toHexString(flags) + ", 8 bits allowed");
        }
        if ((qpn & ~MULTICAST_QPN) != 0) {
            throw new IllegalArgumentException("QPN 0x" + Integer.toHexString(qpn) + ", 24 bits allowed");
        }
    }

    /** The address of a group, as Linux prints it for the link's broadcast. */
    public static HardwareAddress ofGroup(Gid mgid) {
        return new HardwareAddress(0, MULTICAST_QPN, mgid);
    }

    public static HardwareAddress read(MemorySegment memory, long at) {
        int first = PacketBytes.getInt(memory, at);
        return new HardwareAddress(
                first >>> 24,
                first & MULTICAST_QPN,
                new Gid(PacketBytes.getLong(memory, at + 4), PacketBytes.getLong(memory, at + 12)));
    }

    public void write(MemorySegment memory, long at) {
        PacketBytes.putInt(memory, at, flags << 24 | qpn);
        PacketBytes.putLong(memory, at + 4, gid.prefix());
        PacketBytes.putLong(memory, at + 12, gid.interfaceId());
    }

    /** Whether one node may have it: a QPN that is neither management's nor multicast's, and the GID of a port. */
    public boolean isUnicast() {
        return qpn > LAST_SPECIAL_QPN && qpn != MULTICAST_QPN && !gid.isMulticast() && !gid.isZero();
    }

    /** Whether the node accepts reliable connections. */
    public boolean isReliableConnected() {
        return (flags & RC) != 0;
    }

    /** As {@code ip link} prints it: 20 bytes in hexadecimal, colons between. */
    @Override
    public String toString() {
        byte[] bytes = new byte[SIZE_BYTES];
        write(MemorySegment.ofArray(bytes), 0);
        StringBuilder text = new StringBuilder();
        for (byte each : bytes) {
            text.append(text.isEmpty() ? "" : ":").append(String.format(Locale.ROOT, "%02x", each));
        }
        return text.toString();
    }
}
