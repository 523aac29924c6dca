package io.hyperverbs.upper.ipoib.link;

import io.hyperverbs.upper.ipoib.frame.Encapsulation;
import io.hyperverbs.verbs.PrivateData;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What nodes say of themselves when they connect: 8 bytes of private data in REQ and REP, big-endian (RFC 4755 §3.4). A
 * node is called by a service id that has the number of its datagrams' queue pair.
 *
 * <pre>
 *  byte   +0       +1               +4
 *    0  | 0      | qpn            | longest frame that it takes |
 * </pre>
 *
 * @param qpn of the node's queue pair of unreliable datagrams, 24 bits
 * @param frameBytes of the longest frame that it takes, with the encapsulation
 */
record ConnectionTerms(int qpn, int frameBytes) {
    private static final int SIZE_BYTES = 8;
    private static final int QPN_MASK = 0xff_ffff;

    /** Service ids of the IETF, type 0: IP over InfiniBand (RFC 4755 §3.3). */
    private static final long SERVICE = 0x1000_0000_0000_0000L;

    /** By which the node with that queue pair is called. */
    static long serviceId(int qpn) {
        return SERVICE | qpn;
    }

    /** The longest packet in a frame. */
    static int mtuBytes(int frameBytes) {
        return frameBytes - Encapsulation.SIZE_BYTES;
    }

    PrivateData privateData() {
        return PrivateData.of(
                ByteBuffer.allocate(SIZE_BYTES).putInt(qpn).putInt(frameBytes).array());
    }

    /** Null if that is no such thing, or names a frame without room for a packet. */
    static @Nullable ConnectionTerms parse(PrivateData data) {
        if (data.length() < SIZE_BYTES) {
            return null;
        }
        ByteBuffer bytes = ByteBuffer.wrap(data.bytes());
        ConnectionTerms terms = new ConnectionTerms(bytes.getInt() & QPN_MASK, bytes.getInt());
        return terms.frameBytes <= Encapsulation.SIZE_BYTES ? null : terms;
    }
}
