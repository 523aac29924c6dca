package io.hyperverbs.upper.ipoib.frame;

import io.hyperverbs.verbs.ip.PacketOffload;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a long packet of TCP that a network stack left uncut into segments with headers and checksums of their own, as its
 * device does (virtio 1.2 §5.1.6.2). All have the headers of the packet but for lengths, ids, sequence numbers and
 * checksums; the end of the data is marked in the last alone. Allocates nothing. One thread.
 */
public final class TcpSegmenter {
    private @Nullable MemorySegment memory;
    private long packet;
    private int ipBytes;
    private int headerBytes;
    private int payloadBytes;
    private int segmentBytes;
    private int doneBytes;
    private int made;

    /**
     * Begins with a packet.
     *
     * @param from where a well-formed packet is, which must stay until the last segment
     * @param left what the stack said of it
     * @param mostBytes of a segment with its headers
     * @return false if it is no such packet; then there are no segments
     */
    public boolean begin(MemorySegment from, long at, PacketOffload left, int mostBytes) {
        memory = from;
        packet = at;
        made = 0;
        doneBytes = 0;
        payloadBytes = 0;
        int totalBytes = IpPacket.totalBytes(from, at);
        ipBytes = left.checksumStart();
        segmentBytes = left.segmentBytes();
        if (!left.holdsSegments()
                || !left.lacksChecksum()
                || ipBytes < IpPacket.headerBytes(from, at)
                || ipBytes + TcpPacket.HEADER_BYTES > totalBytes) {
            return false;
        }
        int tcpBytes = TcpPacket.headerBytes(from, at + ipBytes);
        headerBytes = ipBytes + tcpBytes;
        if (tcpBytes < TcpPacket.HEADER_BYTES || headerBytes >= totalBytes || headerBytes + segmentBytes > mostBytes) {
            return false;
        }
        payloadBytes = totalBytes - headerBytes;
        return true;
    }

    /** Whether there is another segment. */
    public boolean hasNext() {
        return doneBytes < payloadBytes;
    }

    /**
     * Writes the next one.
     *
     * @param at where its IP header goes
     * @return its bytes
     */
    public int next(MemorySegment to, long at) {
        MemorySegment from = Objects.requireNonNull(memory, "begin");
        int bytes = Math.min(segmentBytes, payloadBytes - doneBytes);
        MemorySegment.copy(from, packet, to, at, headerBytes);
        MemorySegment.copy(from, packet + headerBytes + doneBytes, to, at + headerBytes, bytes);
        long tcp = at + ipBytes;
        int flags = TcpPacket.flags(to, tcp);
        if (made > 0) {
            flags &= ~TcpPacket.CWR;
        }
        if (doneBytes + bytes < payloadBytes) {
            flags &= ~(TcpPacket.FIN | TcpPacket.PSH);
        }
        TcpPacket.setFlags(to, tcp, flags);
        TcpPacket.setSequence(to, tcp, TcpPacket.sequence(to, tcp) + doneBytes);
        TcpPacket.addToId(to, at, made);
        TcpPacket.setTotalBytes(to, at, IpPacket.headerBytes(to, at), headerBytes + bytes);
        int tcpBytes = headerBytes - ipBytes + bytes;
        TcpPacket.setChecksum(to, tcp, 0);
        int start = TcpPacket.pseudoHeader(to, at, tcpBytes);
        TcpPacket.setChecksum(to, tcp, InternetChecksum.of(to, tcp, tcpBytes, start));
        doneBytes += bytes;
        made++;
        return headerBytes + bytes;
    }
}
