package io.hyperverbs.hca.roce;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A management datagram of the general service interface, QP1 (IBA 13.4). Reused; one thread. */
public final class ManagementDatagram {
    /** Bytes of each (IBA 13.4.2). */
    public static final int MAD_BYTES = 256;

    /** The queue pair number of the general service interface. */
    public static final int QPN = 1;

    /** Q_Key of QP1. */
    public static final int QKEY = 0x8001_0000;

    /** Port of this HCA that it came in by, or goes out by; from 1. */
    public int port;

    /** IPv4 address of the other port, its first byte in the highest bits. */
    public int address;

    /** Queue pair number of the sender; {@link #QPN}, or one that redirects. */
    public int qpn = QPN;

    public int pkey;

    private final byte[] mad = new byte[MAD_BYTES];

    /** Common header and what follows it, big-endian; all of it is meant. */
    public byte[] mad() {
        return mad;
    }

    void read(MemorySegment packet, long offset) {
        MemorySegment.copy(packet, ValueLayout.JAVA_BYTE, offset, mad, 0, MAD_BYTES);
    }

    void copyFrom(ManagementDatagram other) {
        port = other.port;
        address = other.address;
        qpn = other.qpn;
        pkey = other.pkey;
        System.arraycopy(other.mad, 0, mad, 0, MAD_BYTES);
    }
}
