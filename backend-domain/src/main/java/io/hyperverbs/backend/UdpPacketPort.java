package io.hyperverbs.backend;

import io.hyperverbs.hca.roce.PacketPort;
import io.hyperverbs.vmm.posix.PosixException;
import io.hyperverbs.vmm.posix.UdpPort;
import java.lang.foreign.MemorySegment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A port of the HCA on UDP: what the HCA asks of the network, asked of a socket. Engine thread only. */
final class UdpPacketPort implements PacketPort {
    private static final Logger LOG = LoggerFactory.getLogger(UdpPacketPort.class);
    private static final int SINGLY = 1;

    /** Queue pairs whose packets a peer's socket has to have room for, if the peer may have as much as this one. */
    private static final int SENDERS = 16;

    private static final int FEWEST_IN_FLIGHT = 64;
    /** More gained nothing (docs/measurements/udp.md). */
    private static final int MOST_IN_FLIGHT = 128;

    /** What the kernel counts for a packet of the largest MTU that came in a batch, rounded up. */
    private static final int PACKET_BYTES = 4608;

    private final UdpPort udp;
    private final int mostInFlight;
    private long addedUpTo;

    UdpPacketPort(UdpPort udp) {
        this.udp = udp;
        mostInFlight = Math.clamp(udp.receiveBufferBytes() / SENDERS / PACKET_BYTES, FEWEST_IN_FLIGHT, MOST_IN_FLIGHT);
    }

    @Override
    public int mostInFlight() {
        return mostInFlight;
    }

    @Override
    public MemorySegment arrived() {
        return udp.receiveMemory();
    }

    @Override
    public int receive(long nowNanos) {
        return udp.receive();
    }

    @Override
    public long offset(int i) {
        return udp.offset(i);
    }

    @Override
    public int lengthBytes(int i) {
        return udp.lengthBytes(i);
    }

    @Override
    public int segmentBytes(int i) {
        return udp.segmentBytes(i);
    }

    @Override
    public int sourceAddress(int i) {
        return udp.sourceAddress(i);
    }

    @Override
    public int sourcePort(int i) {
        return udp.sourcePort(i);
    }

    @Override
    public int destinationAddress(int i) {
        return udp.destinationAddress(i);
    }

    @Override
    public int trafficClass(int i) {
        return udp.tos(i);
    }

    @Override
    public boolean join(int group) {
        try {
            udp.join(group);
            return true;
        } catch (PosixException e) {
            LOG.warn("a multicast group is not joined: {}", e.toString());
            return false;
        }
    }

    @Override
    public void leave(int group) {
        udp.leave(group);
    }

    @Override
    public MemorySegment departing() {
        return udp.sendMemory();
    }

    @Override
    public int mostSegments() {
        return udp.hasSegmentation() ? UdpPort.MAX_SEGMENTS : SINGLY;
    }

    @Override
    public boolean add(long offset, int lengthBytes, int segmentBytes, int destinationAddress, int trafficClass) {
        addedUpTo = offset + lengthBytes;
        return udp.add(offset, lengthBytes, segmentBytes, destinationAddress, UDP_PORT, trafficClass);
    }

    @Override
    public long send() {
        int _ = udp.flush();
        return udp.pending() == 0 ? 0 : addedUpTo;
    }
}
