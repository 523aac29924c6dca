package io.hyperverbs.verbs.ip;

import io.hyperverbs.verbs.Domain;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A network interface of this domain, seen from where a driver stands: what the domain's sockets send is taken here,
 * and what is given here the sockets get. Packets are whole, IPv4 or IPv6, and begin with their IP header, as those of a
 * TUN device of Linux. One thread takes, any may give; neither way allocates.
 *
 * <p>The stack may leave checksums to the interface, and packets of TCP uncut, up to {@link #MOST_BYTES}, which
 * {@link PacketOffload} says of each.
 */
public interface IpInterface {
    /** Bytes of the longest packet of IP. */
    int MOST_BYTES = 65_535;

    /** A domain that may have one. */
    interface Provider {
        Optional<IpInterface> ipInterface();
    }

    /** That of a domain, if its topology gives it an address. */
    static Optional<IpInterface> of(Domain domain) {
        return domain instanceof Provider provider ? provider.ipInterface() : Optional.empty();
    }

    /** Its IPv4 address, the first byte in the highest bits. */
    int address();

    /** Length of the prefix that all addresses of its network share. */
    int prefixLength();

    /** P_Key of the partition whose nodes it reaches, 16 bits. */
    int pkey();

    /** Bytes of the longest packet that goes to the link as one. */
    int mtuBytes();

    /** Whether packets of TCP may be longer, to be cut by whoever takes them. */
    boolean leavesSegments();

    /**
     * Takes the next packet that the domain sends, without waiting.
     *
     * @param room for it, not of the heap, at least {@link #mtuBytes}, or {@link #MOST_BYTES} where it {@link
     *     #leavesSegments}; of a longer packet the rest is lost
     * @param left is set to what the stack has left to do
     * @return its bytes, 0 if there is none
     * @throws IOException if the interface is gone
     */
    int take(MemorySegment room, PacketOffload left) throws IOException;

    /** Waits for a packet to take, after {@link #take} found none; may return early. */
    void await(Duration timeout) throws IOException;

    /**
     * Gives the domain a packet that came for it.
     *
     * @param packet from its first byte to its last
     * @return whether it was taken, which a malformed one is not
     * @throws IOException if the interface is gone
     */
    boolean give(MemorySegment packet) throws IOException;

    /**
     * Gives the domain a packet that is in pieces.
     *
     * @param left what the stack must do with it, if it does anything
     * @return as the other
     * @throws IOException if the interface is gone
     */
    boolean give(PacketPieces packet, PacketOffload left) throws IOException;

    /**
     * The IPv6 addresses that the kernel has given it by now.
     *
     * @return each as its 16 bytes
     */
    List<byte[]> ipv6Addresses() throws IOException;

    /**
     * The multicast groups that sockets of the domain want packets of now.
     *
     * @return each as the bytes of its address, 4 or 16
     */
    List<byte[]> groups() throws IOException;
}
