package io.hyperverbs.hca.transport;

import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.hca.wire.AtomicEthLayout;
import io.hyperverbs.hca.wire.BthLayout;
import io.hyperverbs.hca.wire.DethLayout;
import io.hyperverbs.hca.wire.IethLayout;
import io.hyperverbs.hca.wire.ImmDtLayout;
import io.hyperverbs.hca.wire.PacketOpcode.Header;
import io.hyperverbs.hca.wire.PacketOpcode.Place;
import io.hyperverbs.hca.wire.PacketTable;
import io.hyperverbs.hca.wire.RethLayout;
import io.hyperverbs.hca.wire.XrcEthLayout;
import java.lang.foreign.MemorySegment;

/** Headers of the packets of requests, as their opcode has them. Stateless. */
public final class RequestHeaders {
    private RequestHeaders() {}

    /** Writes BTH, XRCETH, immediate data or key to end. */
    public static void write(
            MemorySegment memory, long at, Message message, int opcode, int psn, boolean asksForAck, int padBytes) {
        int flags = (message.solicited && PacketTable.place(opcode).endsMessage() ? BthLayout.SOLICITED : 0)
                | (asksForAck ? BthLayout.ACK_REQUEST : 0);
        BthLayout.write(memory, at, opcode, flags, padBytes, message.pkey, message.destinationQpn, psn);
        if (PacketTable.has(opcode, Header.XRC_ETH)) {
            XrcEthLayout.write(memory, at + PacketTable.headerOffset(opcode, Header.XRC_ETH), message.srqn);
        }
        if (PacketTable.has(opcode, Header.IMM_DT)) {
            ImmDtLayout.write(memory, at + PacketTable.headerOffset(opcode, Header.IMM_DT), message.immediate);
        }
        if (PacketTable.has(opcode, Header.IETH)) {
            IethLayout.write(memory, at + PacketTable.headerOffset(opcode, Header.IETH), message.immediate);
        }
    }

    /** Writes the RETH of a request, or of one that goes on {@code done} bytes behind its beginning. */
    public static void writeReth(MemorySegment memory, long at, Message message, int opcode, long done) {
        long reth = at + PacketTable.headerOffset(opcode, Header.RETH);
        RethLayout.write(memory, reth, message.remoteAddress + done, message.rkey, message.lengthBytes - done);
    }

    /** Writes the AtomicETH. */
    public static void writeAtomicEth(MemorySegment memory, long at, Message message, int opcode) {
        boolean isAdd = message.opcode == SendWqeLayout.OPCODE_FETCH_AND_ADD;
        AtomicEthLayout.write(
                memory,
                at + PacketTable.headerOffset(opcode, Header.ATOMIC_ETH),
                message.remoteAddress,
                message.rkey,
                isAdd ? message.expectedOrAddend : message.replacement,
                isAdd ? 0 : message.expectedOrAddend);
    }

    /** Writes the DETH of a datagram. */
    public static void writeDeth(MemorySegment memory, long at, Message datagram, int opcode) {
        DethLayout.write(memory, at + PacketTable.headerOffset(opcode, Header.DETH), datagram.qkey, datagram.sourceQpn);
    }

    /** Bytes that bring a payload to whole words. */
    public static int padBytes(int payloadBytes) {
        return -payloadBytes & 3;
    }

    /** The place of a packet in its message. */
    public static Place place(boolean isFirst, boolean isLast) {
        if (isLast) {
            return isFirst ? Place.ONLY : Place.LAST;
        }
        return isFirst ? Place.FIRST : Place.MIDDLE;
    }
}
