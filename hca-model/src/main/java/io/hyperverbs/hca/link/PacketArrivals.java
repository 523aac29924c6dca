package io.hyperverbs.hca.link;

import java.lang.foreign.MemorySegment;

/**
 * Where arrived datagrams of RoCEv2 come from, in batches, without their IP and UDP headers: a port, or what stands
 * between it and the HCA. IPv4 addresses have their first byte in the highest bits. Engine thread only.
 */
public interface PacketArrivals {
    /** Private memory that arrived datagrams lie in until the next {@link #receive}. */
    MemorySegment arrived();

    /**
     * Takes what has arrived; does not wait.
     *
     * @param nowNanos a monotonic clock, the same one at each call
     * @return how many buffers it filled, 0 if nothing is there
     */
    int receive(long nowNanos);

    /**
     * Nanoseconds until {@link #receive} has something without anything more arriving; {@code Long.MAX_VALUE} if it
     * holds nothing. For a thread about to sleep.
     */
    default long nanosToNext(long nowNanos) {
        return Long.MAX_VALUE;
    }

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
}
