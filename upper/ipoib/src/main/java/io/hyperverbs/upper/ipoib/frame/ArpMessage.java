package io.hyperverbs.upper.ipoib.frame;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * A request or reply of ARP: 56 bytes behind the {@link Encapsulation}, big-endian (RFC 826; RFC 4391 §9.2). Written by
 * the node that asks or answers, read by all or by the one that asked.
 *
 * <pre>
 *  byte   +0              +2              +4              +6
 *    0  | hardware 32   | protocol 0x800| 20, 4         | operation     |  lengths: one byte each
 *    8  | sender's hardware address, 20 bytes
 *   28  | sender's IP address           |
 *   32  | target's hardware address, 20 bytes
 *   52  | target's IP address           |
 * </pre>
 *
 * Publishing: with the packet that it is in. Immutable.
 *
 * @param operation {@link #REQUEST} or {@link #REPLY}
 * @param sender hardware address of the node that sends the message
 * @param senderAddress its IPv4 address; 0.0.0.0 in a probe (RFC 5227 §2.1.1)
 * @param target of a reply, the node that asked; of a request not looked at
 * @param targetAddress the IPv4 address that is asked for
 */
public record ArpMessage(
        int operation,
        HardwareAddress sender,
        IpAddress senderAddress,
        HardwareAddress target,
        IpAddress targetAddress) {
    public static final int SIZE_BYTES = 56;

    public static final int REQUEST = 1;
    public static final int REPLY = 2;

    /** InfiniBand among hardware types. */
    public static final int HARDWARE_TYPE = 32;

    // The lengths of both kinds of address, and the types before them.
    private static final int TYPES = HARDWARE_TYPE << 16 | Encapsulation.IPV4;
    private static final int LENGTHS = HardwareAddress.SIZE_BYTES << 8 | IpAddress.IPV4_BYTES;

    /**
     * @throws IllegalArgumentException if the operation is another one, or an address not IPv4
     */
    public ArpMessage {
        if (operation != REQUEST && operation != REPLY) {
            throw new IllegalArgumentException("operation " + operation + ", must be 1 or 2");
        }
        if (!senderAddress.isIpv4() || !targetAddress.isIpv4()) {
            throw new IllegalArgumentException(senderAddress + " to " + targetAddress + ", must be IPv4");
        }
    }

    /** Asks for the hardware address of a node. */
    public static ArpMessage request(HardwareAddress own, IpAddress ownAddress, IpAddress target) {
        return new ArpMessage(REQUEST, own, ownAddress, HardwareAddress.NONE, target);
    }

    /** Announces to all nodes that this one has the address (RFC 5227 §2.3). */
    public static ArpMessage announcement(HardwareAddress own, IpAddress ownAddress) {
        return request(own, ownAddress, ownAddress);
    }

    /** Answers this request: its target address is the own one. */
    public ArpMessage reply(HardwareAddress own) {
        return new ArpMessage(REPLY, own, targetAddress, sender, senderAddress);
    }

    /** Whether it asks for nothing, but announces an address: sender and target are the same. */
    public boolean isAnnouncement() {
        return senderAddress.equals(targetAddress);
    }

    /** Writes it behind an encapsulation that the caller writes. */
    public void write(MemorySegment memory, long at) {
        PacketBytes.putInt(memory, at, TYPES);
        PacketBytes.putShort(memory, at + 4, LENGTHS);
        PacketBytes.putShort(memory, at + 6, operation);
        sender.write(memory, at + 8);
        senderAddress.writeIpv4(memory, at + 28);
        target.write(memory, at + 32);
        targetAddress.writeIpv4(memory, at + 52);
    }

    /**
     * Reads a message of any node. Never throws.
     *
     * @param lengthBytes that were received behind the encapsulation; more than the message is padding
     * @return empty if it is of other hardware or protocols, another operation, cut off, or its sender has an address
     *     that no node may have: a table that took it in would send to a group, or to agents of the fabric
     */
    public static Optional<ArpMessage> decode(MemorySegment memory, long at, long lengthBytes) {
        if (!PacketBytes.isInside(memory, at, lengthBytes)
                || lengthBytes < SIZE_BYTES
                || PacketBytes.getInt(memory, at) != TYPES
                || PacketBytes.getShort(memory, at + 4) != LENGTHS) {
            return Optional.empty();
        }
        int operation = PacketBytes.getShort(memory, at + 6);
        HardwareAddress sender = HardwareAddress.read(memory, at + 8);
        IpAddress senderAddress = IpAddress.readIpv4(memory, at + 28);
        if ((operation != REQUEST && operation != REPLY)
                || !sender.isUnicast()
                || senderAddress.isMulticast()
                || senderAddress.isBroadcast()) {
            return Optional.empty();
        }
        return Optional.of(new ArpMessage(
                operation,
                sender,
                senderAddress,
                HardwareAddress.read(memory, at + 32),
                IpAddress.readIpv4(memory, at + 52)));
    }
}
