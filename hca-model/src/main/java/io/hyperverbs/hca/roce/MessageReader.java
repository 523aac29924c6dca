package io.hyperverbs.hca.roce;

import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.transport.Message;
import io.hyperverbs.hca.wire.AtomicEthLayout;
import io.hyperverbs.hca.wire.IethLayout;
import io.hyperverbs.hca.wire.ImmDtLayout;
import io.hyperverbs.hca.wire.PacketOpcode.Header;
import io.hyperverbs.hca.wire.PacketTable;
import io.hyperverbs.hca.wire.RethLayout;
import io.hyperverbs.hca.wire.XrcEthLayout;
import java.lang.foreign.MemorySegment;

/**
 * Makes the message of the packets that it comes in: headers that the first packet alone has are kept in {@link
 * WireQp} for the others. The sequence of opcodes and the lengths are checked here (IBA 9.7.4.1.2 to 9.7.4.1.6). Engine
 * thread only.
 */
final class MessageReader {
    private static final long MAX_MESSAGE_BYTES = 1L << 31;

    private final Message message = new Message();
    private long arrivedBefore;

    /** What {@link #read} fills. */
    Message message() {
        return message;
    }

    /** Bytes of the message that came in packets before. */
    long arrivedBefore() {
        return arrivedBefore;
    }

    /**
     * Reads the next packet in sequence.
     *
     * @return false if it cannot follow the one before, or is not as long as it must be
     */
    boolean read(Qp qp, WireQp wire, Arrival arrival) {
        int opcode = arrival.opcode;
        if (!PacketTable.mayFollow(wire.arriving, opcode)) {
            return false;
        }
        arrivedBefore = wire.arriving == WireQp.NONE ? 0 : wire.arrivedBytes;
        message.transport = qp.responderTransport();
        message.pkey = arrival.pkey();
        message.solicited = arrival.isSolicited();
        message.opcode = workOpcode(opcode);
        message.packets = 1;
        message.psn = arrival.psn();
        message.sourceQpn = qp.destinationQpn();
        extended(wire, arrival);
        return hasRightLength(qp.pathMtuBytes(), arrival);
    }

    /** The opcode of the work request; of the first packets of a send or write, without what only the last one has. */
    static int workOpcode(int opcode) {
        boolean hasImmediate = PacketTable.has(opcode, Header.IMM_DT);
        return switch (PacketTable.kind(opcode)) {
            case SEND ->
                hasImmediate
                        ? SendWqeLayout.OPCODE_SEND_WITH_IMM
                        : PacketTable.has(opcode, Header.IETH)
                                ? SendWqeLayout.OPCODE_SEND_WITH_INV
                                : SendWqeLayout.OPCODE_SEND;
            case WRITE -> hasImmediate ? SendWqeLayout.OPCODE_RDMA_WRITE_WITH_IMM : SendWqeLayout.OPCODE_RDMA_WRITE;
            case READ_REQUEST -> SendWqeLayout.OPCODE_RDMA_READ;
            case COMPARE_SWAP -> SendWqeLayout.OPCODE_COMPARE_AND_SWAP;
            case FETCH_ADD -> SendWqeLayout.OPCODE_FETCH_AND_ADD;
            case UNKNOWN, READ_RESPONSE, ACK, ATOMIC_ACK, CNP ->
                throw new IllegalArgumentException("opcode " + opcode + " is no request");
        };
    }

    private void extended(WireQp wire, Arrival arrival) {
        int opcode = arrival.opcode;
        MemorySegment memory = arrival.memory();
        long at = arrival.offset();
        if (PacketTable.has(opcode, Header.XRC_ETH)) {
            message.srqn = XrcEthLayout.srqn(memory, at + PacketTable.headerOffset(opcode, Header.XRC_ETH));
        }
        if (PacketTable.has(opcode, Header.IMM_DT)) {
            message.immediate = ImmDtLayout.immediate(memory, at + PacketTable.headerOffset(opcode, Header.IMM_DT));
        } else if (PacketTable.has(opcode, Header.IETH)) {
            message.immediate = IethLayout.rkey(memory, at + PacketTable.headerOffset(opcode, Header.IETH));
        }
        if (PacketTable.has(opcode, Header.RETH)) {
            long reth = at + PacketTable.headerOffset(opcode, Header.RETH);
            wire.remoteAddress = RethLayout.remoteAddress(memory, reth);
            wire.rkey = RethLayout.rkey(memory, reth);
            wire.lengthBytes = RethLayout.lengthBytes(memory, reth);
        }
        if (PacketTable.has(opcode, Header.ATOMIC_ETH)) {
            atomic(memory, at + PacketTable.headerOffset(opcode, Header.ATOMIC_ETH));
        } else if (message.isSend()) {
            message.lengthBytes = arrivedBefore + arrival.payloadBytes();
        } else {
            message.remoteAddress = wire.remoteAddress;
            message.rkey = wire.rkey;
            message.lengthBytes = wire.lengthBytes;
        }
    }

    private void atomic(MemorySegment memory, long eth) {
        boolean isAdd = message.opcode == SendWqeLayout.OPCODE_FETCH_AND_ADD;
        message.remoteAddress = AtomicEthLayout.remoteAddress(memory, eth);
        message.rkey = AtomicEthLayout.rkey(memory, eth);
        message.lengthBytes = Long.BYTES;
        long swapOrAdd = AtomicEthLayout.swapOrAdd(memory, eth);
        message.expectedOrAddend = isAdd ? swapOrAdd : AtomicEthLayout.compare(memory, eth);
        message.replacement = isAdd ? 0 : swapOrAdd;
    }

    private boolean hasRightLength(int mtuBytes, Arrival arrival) {
        int bytes = arrival.payloadBytes();
        if (message.isRead() || message.isAtomic()) {
            return bytes == 0 && message.lengthBytes <= MAX_MESSAGE_BYTES;
        }
        if (!PacketTable.allowsPayload(arrival.opcode, bytes, mtuBytes)) {
            return false;
        }
        boolean isLast = PacketTable.place(arrival.opcode).endsMessage();
        long after = arrivedBefore + bytes;
        return message.isSend()
                ? after <= MAX_MESSAGE_BYTES
                : isLast ? after == message.lengthBytes : after < message.lengthBytes;
    }

    /** The packet was executed. */
    void taken(WireQp wire, Arrival arrival) {
        boolean isUnderWay = !PacketTable.place(arrival.opcode).endsMessage();
        wire.arriving = isUnderWay ? arrival.opcode : WireQp.NONE;
        wire.arrivedBytes = isUnderWay ? arrivedBefore + arrival.payloadBytes() : 0;
    }
}
