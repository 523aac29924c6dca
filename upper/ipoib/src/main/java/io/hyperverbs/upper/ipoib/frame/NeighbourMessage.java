package io.hyperverbs.upper.ipoib.frame;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A neighbour solicitation or advertisement as a whole IPv6 packet: 64 bytes, or 88 with a link-layer address;
 * big-endian (RFC 4861 §4.3, §4.4; RFC 4391 §9.3). Written by the node that asks or answers, read by the group or the
 * node it is to.
 *
 * <pre>
 *  byte   +0               +2               +4               +6
 *    0  | IPv6 header, 40 bytes: next header 58, hop limit 255
 *   40  | type, code 0    | checksum        | flags, reserved                  |  135 or 136; flags of 136 alone
 *   48  | target's IPv6 address, 16 bytes
 *   64  | option, length 3| reserved        | hardware address, 20 bytes          option 1 in 135, 2 in 136
 * </pre>
 *
 * Publishing: with the packet. Immutable.
 *
 * @param type {@link #SOLICITATION} or {@link #ADVERTISEMENT}
 * @param source who sends it; {@code ::} of one that looks whether its address is free (RFC 4862 §5.4)
 * @param destination a node or a group
 * @param target whose link-layer address it is about
 * @param flags {@link #ROUTER}, {@link #SOLICITED}, {@link #OVERRIDE} of an advertisement; 0 in a solicitation
 * @param hardware the sender's of a solicitation, the target's of an advertisement; null if there is none
 */
public record NeighbourMessage(
        int type,
        IpAddress source,
        IpAddress destination,
        IpAddress target,
        int flags,
        @Nullable HardwareAddress hardware) {
    public static final int MAX_BYTES = 88;

    public static final int SOLICITATION = 135;
    public static final int ADVERTISEMENT = 136;

    public static final int ROUTER = 0x80;
    public static final int SOLICITED = 0x40;
    public static final int OVERRIDE = 0x20;

    private static final int HOP_LIMIT = 255;
    private static final int ICMP = IpPacket.IPV6_HEADER_BYTES;
    private static final int OPTIONS = 64;
    private static final int UNIT_BYTES = 8;
    private static final int OPTION_UNITS = 3;
    private static final int SOURCE_OPTION = 1;
    private static final int TARGET_OPTION = 2;

    /**
     * @throws IllegalArgumentException if the type is another one, or an address is IPv4's
     */
    public NeighbourMessage {
        if (type != SOLICITATION && type != ADVERTISEMENT) {
            throw new IllegalArgumentException("type " + type + ", must be 135 or 136");
        }
        if (source.isIpv4() || destination.isIpv4() || target.isIpv4()) {
            throw new IllegalArgumentException(source + " to " + destination + " for " + target + ", must be IPv6");
        }
    }

    /** Asks the group that the target is in for its address. */
    public static NeighbourMessage solicitation(HardwareAddress own, IpAddress ownAddress, IpAddress target) {
        return new NeighbourMessage(SOLICITATION, ownAddress, target.solicitedNode(), target, 0, own);
    }

    /** Asks a node whose address is there whether it is still so. */
    public static NeighbourMessage probe(HardwareAddress own, IpAddress ownAddress, IpAddress target) {
        return new NeighbourMessage(SOLICITATION, ownAddress, target, target, 0, own);
    }

    /** Asks whether another node has the address that this one would take (RFC 4862 §5.4.2). */
    public static NeighbourMessage duplicateProbe(IpAddress target) {
        return new NeighbourMessage(SOLICITATION, IpAddress.UNSPECIFIED, target.solicitedNode(), target, 0, null);
    }

    /** Announces to all nodes that this one has the address (RFC 4861 §7.2.6). */
    public static NeighbourMessage announcement(HardwareAddress own, IpAddress ownAddress) {
        return new NeighbourMessage(ADVERTISEMENT, ownAddress, IpAddress.ALL_NODES, ownAddress, OVERRIDE, own);
    }

    /**
     * Answers this solicitation, whose target is the own address; to all nodes if who asks has none (RFC 4861
     * §7.2.4).
     */
    public NeighbourMessage advertisement(HardwareAddress own) {
        return source.isUnspecified()
                ? announcement(own, target)
                : new NeighbourMessage(ADVERTISEMENT, target, source, target, SOLICITED | OVERRIDE, own);
    }

    public boolean isSolicitation() {
        return type == SOLICITATION;
    }

    /** Whether it is the answer to a solicitation, and so confirms that packets reach the target. */
    public boolean isSolicited() {
        return (flags & SOLICITED) != 0;
    }

    /** Bytes that {@link #write} takes. */
    public int sizeBytes() {
        return hardware == null ? OPTIONS : MAX_BYTES;
    }

    /**
     * Writes it with its checksum, behind an encapsulation that the caller writes.
     *
     * @return bytes written
     */
    public int write(MemorySegment memory, long at) {
        int icmpBytes = sizeBytes() - ICMP;
        PacketBytes.putInt(memory, at, 6 << 28);
        PacketBytes.putShort(memory, at + 4, icmpBytes);
        PacketBytes.putByte(memory, at + 6, IpPacket.ICMPV6);
        PacketBytes.putByte(memory, at + 7, HOP_LIMIT);
        source.writeIpv6(memory, at + 8);
        destination.writeIpv6(memory, at + 24);
        long icmp = at + ICMP;
        PacketBytes.putInt(memory, icmp, type << 24);
        PacketBytes.putInt(memory, icmp + 4, flags << 24);
        target.writeIpv6(memory, icmp + 8);
        if (hardware != null) {
            PacketBytes.putInt(memory, at + OPTIONS, option(type) << 24 | OPTION_UNITS << 16);
            hardware.write(memory, at + OPTIONS + 4);
        }
        int pseudoHeader = InternetChecksum.pseudoHeader(source, destination, IpPacket.ICMPV6, icmpBytes);
        PacketBytes.putShort(memory, icmp + 2, InternetChecksum.of(memory, icmp, icmpBytes, pseudoHeader));
        return sizeBytes();
    }

    /** Whether a packet is to be given to {@link #decode}: ICMPv6 of one of both types. Never throws. */
    public static boolean isNeighbourMessage(MemorySegment memory, long at, long lengthBytes) {
        if (!IpPacket.isWellFormed(memory, at, lengthBytes)
                || IpPacket.version(memory, at) != 6
                || IpPacket.protocol(memory, at) != IpPacket.ICMPV6
                || IpPacket.totalBytes(memory, at) <= ICMP) {
            return false;
        }
        int type = PacketBytes.getByte(memory, at + ICMP);
        return type == SOLICITATION || type == ADVERTISEMENT;
    }

    /**
     * Reads a message of any node. Never throws.
     *
     * @param lengthBytes that were received behind the encapsulation; more than the packet is padding
     * @return empty unless RFC 4861 §7.1.1 and §7.1.2 hold it valid: hop limit 255, so that no router forwarded it, a
     *     right checksum, a target that one node may have, whole options, and addresses that go together. Also empty
     *     if the link-layer address is not of one InfiniBand node
     */
    public static Optional<NeighbourMessage> decode(MemorySegment memory, long at, long lengthBytes) {
        if (!isNeighbourMessage(memory, at, lengthBytes)) {
            return Optional.empty();
        }
        int totalBytes = IpPacket.totalBytes(memory, at);
        IpAddress source = IpPacket.source(memory, at);
        IpAddress destination = IpPacket.destination(memory, at);
        int pseudoHeader = InternetChecksum.pseudoHeader(source, destination, IpPacket.ICMPV6, totalBytes - ICMP);
        if (totalBytes < OPTIONS
                || PacketBytes.getByte(memory, at + 7) != HOP_LIMIT
                || PacketBytes.getByte(memory, at + ICMP + 1) != 0
                || InternetChecksum.of(memory, at + ICMP, totalBytes - ICMP, pseudoHeader) != 0
                || !areWhole(memory, at + OPTIONS, at + totalBytes)) {
            return Optional.empty();
        }
        int type = PacketBytes.getByte(memory, at + ICMP);
        IpAddress target = IpAddress.readIpv6(memory, at + 48);
        long option = findOption(memory, at + OPTIONS, at + totalBytes, option(type));
        if (!target.isUnicast() || target.isIpv4() || (option >= 0 && !isOfInfiniBand(memory, option))) {
            return Optional.empty();
        }
        return Optional.of(new NeighbourMessage(
                        type,
                        source,
                        destination,
                        target,
                        type == ADVERTISEMENT ? PacketBytes.getByte(memory, at + ICMP + 4) : 0,
                        option >= 0 ? HardwareAddress.read(memory, option + 4) : null))
                .filter(NeighbourMessage::isConsistent);
    }

    private boolean isConsistent() {
        if (source.isMulticast()) {
            return false;
        }
        if (!isSolicitation()) {
            return !source.isUnspecified() && !(destination.isMulticast() && isSolicited());
        }
        return !source.isUnspecified() || (hardware == null && destination.equals(target.solicitedNode()));
    }

    private static int option(int type) {
        return type == SOLICITATION ? SOURCE_OPTION : TARGET_OPTION;
    }

    private static boolean isOfInfiniBand(MemorySegment memory, long option) {
        return PacketBytes.getByte(memory, option + 1) == OPTION_UNITS
                && HardwareAddress.read(memory, option + 4).isUnicast();
    }

    /** Whether options follow each other up to the end; one without length would never end. */
    private static boolean areWhole(MemorySegment memory, long from, long end) {
        long option = from;
        while (option < end) {
            // Not in memory would be the second byte of an option that begins in the last one.
            int units = option + 1 < end ? PacketBytes.getByte(memory, option + 1) : 0;
            if (units == 0) {
                return false;
            }
            option += (long) units * UNIT_BYTES;
        }
        return option == end;
    }

    /** The first option of the kind among whole ones; negative if there is none. */
    private static long findOption(MemorySegment memory, long from, long end, int kind) {
        long option = from;
        while (option < end) {
            if (PacketBytes.getByte(memory, option) == kind) {
                return option;
            }
            option += (long) PacketBytes.getByte(memory, option + 1) * UNIT_BYTES;
        }
        return -1;
    }
}
