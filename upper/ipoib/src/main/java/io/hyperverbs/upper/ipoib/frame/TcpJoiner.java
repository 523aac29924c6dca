package io.hyperverbs.upper.ipoib.frame;

import io.hyperverbs.verbs.ip.PacketOffload;
import io.hyperverbs.verbs.ip.PacketPieces;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Joins segments of one TCP connection that came one after the other, so that a network stack takes them as one packet
 * (virtio 1.2 §5.1.6.4). What is joined has the same headers but for lengths, ids, sequence numbers and checksums, is as
 * long as the first or ends the packet by being shorter, and has checksums that are right: the stack does not look at them
 * again. Bytes may be anything. Allocates nothing. One thread.
 */
public final class TcpJoiner {
    private static final int MOST_BYTES = 65_535;

    private final PacketPieces pieces = new PacketPieces();
    private final PacketOffload offload = new PacketOffload();
    private @Nullable MemorySegment memory;
    private long first;
    private int ipBytes;
    private int headerBytes;
    private int segmentBytes;
    private int totalBytes;
    private int lastFlags;
    private boolean isEnded;

    /** Whether there is a packet, of one segment or more. */
    public boolean holds() {
        return totalBytes > 0;
    }

    /** Whether it is of more than one segment. */
    public boolean isJoined() {
        return pieces.count() > 1;
    }

    /**
     * Begins with a packet; there must be none.
     *
     * @param from where it is, and where it must stay until {@link #end}
     * @param lengthBytes that were received
     * @return false if nothing can be joined to it
     */
    public boolean begin(MemorySegment from, long packet, int lengthBytes) {
        if (!isSegment(from, packet, lengthBytes)) {
            return false;
        }
        memory = from;
        first = packet;
        ipBytes = IpPacket.headerBytes(from, packet);
        headerBytes = ipBytes + TcpPacket.headerBytes(from, packet + ipBytes);
        int bytes = IpPacket.totalBytes(from, packet);
        segmentBytes = bytes - headerBytes;
        lastFlags = TcpPacket.flags(from, packet + ipBytes);
        if (segmentBytes == 0 || lastFlags != TcpPacket.ACK) {
            return false;
        }
        totalBytes = bytes;
        isEnded = false;
        PacketPieces _ = pieces.clear(from).add(packet, bytes);
        return true;
    }

    /** Whether it is one that could be joined with others: not a fragment, no options of IP. */
    private static boolean isSegment(MemorySegment from, long packet, int lengthBytes) {
        if (!IpPacket.isWellFormed(from, packet, lengthBytes)
                || IpPacket.protocol(from, packet) != TcpPacket.TCP
                || IpPacket.isFragment(from, packet)) {
            return false;
        }
        int ip = IpPacket.headerBytes(from, packet);
        int bytes = IpPacket.totalBytes(from, packet);
        if (IpPacket.version(from, packet) == 4 && ip != IpPacket.IPV4_HEADER_BYTES) {
            return false;
        }
        if (ip + TcpPacket.HEADER_BYTES > bytes) {
            return false;
        }
        int tcp = TcpPacket.headerBytes(from, packet + ip);
        return tcp >= TcpPacket.HEADER_BYTES && ip + tcp <= bytes;
    }

    /**
     * Joins a packet to those before it.
     *
     * @param from the memory of the first
     * @return false if it does not follow them; then nothing has changed
     */
    public boolean join(MemorySegment from, long packet, int lengthBytes) {
        if (isEnded || pieces.count() == PacketPieces.MOST || !isSegment(from, packet, lengthBytes)) {
            return false;
        }
        int bytes = IpPacket.totalBytes(from, packet) - headerBytes;
        if (bytes <= 0 || bytes > segmentBytes || totalBytes + bytes > MOST_BYTES || !follows(from, packet)) {
            return false;
        }
        if ((!isJoined() && !isRight(from, first)) || !isRight(from, packet)) {
            return false;
        }
        PacketPieces _ = pieces.add(packet + headerBytes, bytes);
        totalBytes += bytes;
        lastFlags = TcpPacket.flags(from, packet + ipBytes);
        isEnded = bytes < segmentBytes || lastFlags != TcpPacket.ACK;
        return true;
    }

    /** Whether its headers are those of the first but for what differs between segments. */
    private boolean follows(MemorySegment from, long packet) {
        long tcp = packet + ipBytes;
        long firstTcp = first + ipBytes;
        int flags = TcpPacket.flags(from, tcp) & ~TcpPacket.PSH;
        int sequence = TcpPacket.sequence(from, firstTcp) + totalBytes - headerBytes;
        return IpPacket.isSameButForLengthAndId(from, first, packet)
                && TcpPacket.sequence(from, tcp) == sequence
                && flags == TcpPacket.ACK
                // Ports; acknowledged number and length of the header; window; options.
                && isSame(from, firstTcp, tcp, 0, 4)
                && isSame(from, firstTcp, tcp, 8, 13)
                && isSame(from, firstTcp, tcp, 14, TcpPacket.CHECKSUM)
                && isSame(from, firstTcp, tcp, TcpPacket.CHECKSUM + 2, headerBytes - ipBytes);
    }

    private static boolean isSame(MemorySegment memory, long one, long other, int start, int end) {
        return MemorySegment.mismatch(memory, one + start, one + end, memory, other + start, other + end) < 0;
    }

    /** Whether its checksums are. */
    private boolean isRight(MemorySegment from, long packet) {
        int tcpBytes = IpPacket.totalBytes(from, packet) - ipBytes;
        int start = TcpPacket.pseudoHeader(from, packet, tcpBytes);
        return (IpPacket.version(from, packet) == 6 || InternetChecksum.of(from, packet, ipBytes, 0) == 0)
                && InternetChecksum.of(from, packet + ipBytes, tcpBytes, start) == 0;
    }

    /**
     * Makes one packet of what is held, in the headers of the first, and holds nothing any more.
     *
     * @return its pieces, until the next packet
     */
    public PacketPieces end() {
        MemorySegment from = Objects.requireNonNull(memory, "begin");
        PacketOffload _ = offload.clear();
        if (isJoined()) {
            long tcp = first + ipBytes;
            TcpPacket.setTotalBytes(from, first, ipBytes, totalBytes);
            TcpPacket.setFlags(from, tcp, lastFlags);
            TcpPacket.setChecksum(from, tcp, TcpPacket.pseudoHeader(from, first, totalBytes - ipBytes));
            PacketOffload _ = offload.lackChecksum(ipBytes, TcpPacket.CHECKSUM).hold(headerBytes, segmentBytes);
        }
        totalBytes = 0;
        return pieces;
    }

    /** What the stack is to do with what {@link #end} made. */
    public PacketOffload offload() {
        return offload;
    }
}
