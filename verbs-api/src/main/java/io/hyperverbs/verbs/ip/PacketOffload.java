package io.hyperverbs.verbs.ip;

/**
 * What a network stack leaves to its interface for one packet: its checksum, and to cut a long packet of TCP into segments
 * (virtio 1.2 §5.1.6.2). With a packet that is given to the stack it says the same of that: segments that came one after the
 * other are one packet. Nothing of it at first. One thread.
 */
public final class PacketOffload {
    private boolean lacksChecksum;
    private int checksumStart;
    private int checksumField;
    private int headerBytes;
    private int segmentBytes;

    /** Nothing is left to do. */
    public PacketOffload clear() {
        lacksChecksum = false;
        checksumStart = 0;
        checksumField = 0;
        headerBytes = 0;
        segmentBytes = 0;
        return this;
    }

    /**
     * The checksum is of a pseudo header alone.
     *
     * @param startBytes where it begins to count, from the packet's first byte
     * @param fieldBytes where it is, from there
     */
    public PacketOffload lackChecksum(int startBytes, int fieldBytes) {
        lacksChecksum = true;
        checksumStart = startBytes;
        checksumField = fieldBytes;
        return this;
    }

    /**
     * It stands for segments of TCP, whose header is where the checksum begins to count.
     *
     * @param allHeaderBytes of IP and TCP
     * @param payloadBytes of each but the last, at least 1
     */
    public PacketOffload hold(int allHeaderBytes, int payloadBytes) {
        headerBytes = allHeaderBytes;
        segmentBytes = payloadBytes;
        return this;
    }

    public boolean lacksChecksum() {
        return lacksChecksum;
    }

    public int checksumStart() {
        return checksumStart;
    }

    public int checksumField() {
        return checksumField;
    }

    /** Of IP and TCP; says something of what {@link #holdsSegments}. */
    public int headerBytes() {
        return headerBytes;
    }

    public boolean holdsSegments() {
        return segmentBytes > 0;
    }

    /** Bytes of payload of each segment but the last; 0 for a packet that is one. */
    public int segmentBytes() {
        return segmentBytes;
    }
}
