package io.hyperverbs.hca.roce;

import io.hyperverbs.hca.link.PacketArrivals;
import java.lang.foreign.MemorySegment;

/**
 * What the HCA needs of the network: datagrams of RoCEv2, in batches, without their IP and UDP headers.
 * IPv4 addresses have their first byte in the highest bits. Engine thread only.
 */
public interface PacketPort extends PacketArrivals {
    /** UDP port of RoCEv2 (IBA annex A17). */
    int UDP_PORT = 4791;

    /** Takes what is sent to that IPv4 group from now on, also by this port; false if no more groups can be taken. */
    boolean join(int group);

    void leave(int group);

    /** Private memory that datagrams to be sent are written to. */
    MemorySegment departing();

    /** Packets of one queue pair that may be on the way, so that a peer with such a port has room for them. */
    default int mostInFlight() {
        return 64;
    }

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
