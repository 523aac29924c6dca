package io.hyperverbs.hca.capture;

import java.lang.foreign.MemorySegment;

/**
 * A packet of RoCEv2, BTH to ICRC, where the HCA has it. Reused, and valid during {@link PacketTap#packet} alone.
 * IPv4 addresses have their first byte in the highest bits.
 */
public final class CapturedPacket {
    /** {@link #identification} of a packet that came: a socket does not tell it. */
    public static final int UNKNOWN = -1;

    /** From 1. */
    public int port;

    public PacketFate fate = PacketFate.SENT;
    public MemorySegment memory = MemorySegment.NULL;
    public long offset;
    public int lengthBytes;
    public int sourceAddress;
    public int sourcePort;
    public int destinationAddress;

    /** Of the IPv4 header, which the ICRC covers. */
    public int identification;

    /** DSCP and ECN. */
    public int trafficClass;

    CapturedPacket() {}

    /** Says where its bytes are. */
    public CapturedPacket at(MemorySegment bytes, long at, int length) {
        memory = bytes;
        offset = at;
        lengthBytes = length;
        return this;
    }

    /** Says between which addresses it goes. */
    public CapturedPacket between(int source, int fromPort, int destination) {
        sourceAddress = source;
        sourcePort = fromPort;
        destinationAddress = destination;
        return this;
    }
}
