package io.hyperverbs.tests.fuzz;

import io.hyperverbs.hca.roce.ManagementDatagram;
import io.hyperverbs.hca.wire.BthLayout;
import io.hyperverbs.hca.wire.Icrc;
import io.hyperverbs.hca.wire.PacketOpcode.Header;
import io.hyperverbs.hca.wire.PacketOpcode.Kind;
import io.hyperverbs.hca.wire.PacketTable;
import io.hyperverbs.hca.wire.RethLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;

/**
 * What one datagram may have for an answer (docs/wire.md, Trust): nothing for strangers but a datagram of management,
 * for the peer no more than was asked and four bytes, a read its bytes; nothing that a key did not allow.
 */
final class PacketAnswers {
    /** An ACK is so much longer than an empty request. */
    private static final int MOST_MORE = 4;

    private static final int CONGESTED = 3;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private long bytes;
    private long readBytes;
    private long managementBytes;
    private int notifications;
    private int requests;

    /** Adds up what was sent. */
    PacketAnswers(List<FuzzPort.Sent> sent) {
        sent.forEach(this::add);
    }

    private void add(FuzzPort.Sent one) {
        MemorySegment packet = MemorySegment.ofArray(one.bytes());
        int opcode = BthLayout.opcode(packet, 0);
        Kind kind = PacketTable.kind(opcode);
        boolean isManagement = BthLayout.destinationQpn(packet, 0) == ManagementDatagram.QPN
                && PacketTable.transport(opcode) == PacketTable.UD;
        if (isManagement) {
            managementBytes += packet.byteSize();
        } else if (one.destination() != PacketScene.PEER) {
            throw new AssertionError(PacketTable.row(opcode) + " to " + Integer.toHexString(one.destination()));
        } else if (kind == Kind.CNP) {
            notifications++;
        } else if (kind == Kind.READ_RESPONSE) {
            readBytes += packet.byteSize()
                    - PacketTable.headerBytes(opcode)
                    - BthLayout.padCount(packet, 0)
                    - Icrc.SIZE_BYTES;
        } else if (kind.isResponse()) {
            bytes += packet.byteSize();
        } else {
            requests++;
        }
        assertNoSecret(packet);
    }

    private static void assertNoSecret(MemorySegment packet) {
        for (long at = BthLayout.SIZE_BYTES; at + Long.BYTES <= packet.byteSize(); at++) {
            if (packet.get(LONG, at) == PacketScene.SECRET) {
                throw new AssertionError("the secret went out");
            }
        }
    }

    /** Judges them as answers to a datagram that came so many times. */
    void judge(int source, int trafficClass, byte[] datagram, int copies) {
        int length = copies * datagram.length;
        long wanted = copies * wanted(datagram);
        if (source != PacketScene.PEER && bytes + readBytes + notifications + requests > 0) {
            throw new AssertionError("a stranger's packet is answered");
        }
        if (bytes > length + copies * MOST_MORE) {
            throw new AssertionError(bytes + " bytes for " + length);
        }
        // A call in place of a connection is refused, and the old one is ended.
        int messages = source == PacketScene.PEER && FuzzMad.isCall(datagram) ? 2 : 1;
        if (managementBytes > (long) messages * length) {
            throw new AssertionError(managementBytes + " bytes of management for " + length);
        }
        if (readBytes > wanted) {
            throw new AssertionError(readBytes + " bytes read, " + wanted + " wanted");
        }
        if (notifications > (trafficClass == CONGESTED ? 1 : 0)) {
            throw new AssertionError(notifications + " notifications of congestion");
        }
    }

    /** How many bytes the datagram asks for. */
    private static long wanted(byte[] datagram) {
        MemorySegment packet = MemorySegment.ofArray(datagram);
        if (datagram.length < BthLayout.SIZE_BYTES) {
            return 0;
        }
        int opcode = BthLayout.opcode(packet, 0);
        boolean isRead = PacketTable.kind(opcode) == Kind.READ_REQUEST
                && datagram.length >= PacketTable.headerBytes(opcode) + Icrc.SIZE_BYTES;
        return isRead ? RethLayout.lengthBytes(packet, PacketTable.headerOffset(opcode, Header.RETH)) : 0;
    }
}
