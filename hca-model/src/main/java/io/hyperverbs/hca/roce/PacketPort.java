package io.hyperverbs.hca.roce;

import java.lang.foreign.MemorySegment;

/**
 * What the HCA needs of the network: datagrams of RoCEv2, in batches, without their IP and UDP headers.
 * IPv4 addresses have their first byte in the highest bits. Engine thread only.
 */
public interface PacketPort {
    /** UDP port of RoCEv2 (IBA annex A17). */
    int UDP_PORT = 4791;

    /** Private memory that arrived datagrams lie in until the next {@link #receive}. */
    MemorySegment arrived();

    /**
     * Takes what has arrived; does not wait.
     *
     * @return how many buffers it filled, 0 if nothing is there
     */
    int receive();

    /** Where buffer {@code i} begins in {@link #arrived}. */
    long offset(int i);

    /** Bytes in it. */
    int lengthBytes(int i);

    /** Bytes of each datagram in it but the last, which may be shorter: several came as one. */
    int segmentBytes(int i);

    int sourceAddress(int i);

    int sourcePort(int i);

    /** A port's own address, or a multicast group's. */
    int destinationAddress(int i);

    /** Type of service: DSCP and, in the two lowest bits, ECN. */
    int trafficClass(int i);

    /** Takes what is sent to that IPv4 group from now on, also by this port; false if no more groups can be taken. */
    boolean join(int group);

    void leave(int group);

    /** Private memory that datagrams to be sent are written to. */
    MemorySegment departing();

    /** How many datagrams of one length may be sent as one; 1 if the network does not cut them. */
    int mostSegments();

    /**
     * Adds datagrams that lie one after the other in {@link #departing}.
     *
     * @param segmentBytes of each but the last, which may be shorter
     * @return false if no more can be added before {@link #send}
     */
    boolean add(long offset, int lengthBytes, int segmentBytes, int destinationAddress, int trafficClass);

    /**
     * Sends what was added; does not wait.
     *
     * @return how many bytes of {@link #departing} from its beginning are still to be sent: 0 if all is gone
     */
    long send();
}
