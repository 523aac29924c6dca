package io.hyperverbs.hca.transport;

import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.hca.qp.Psn;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.qp.SendQueue;
import io.hyperverbs.verbs.SendFlags;
import java.lang.foreign.MemorySegment;

/**
 * A request on its way from requester to responder, with what the headers of its packets would say.
 * The source is stamped by the HCA, never taken from a work request. Reused. Engine thread only.
 */
public final class Message {
    public int sourceLid;
    public int sourceQpn;
    public int destinationQpn;
    public int destinationPort;
    public int pkey;
    public int psn;
    public long packets;
    public int opcode;
    public int immediate;
    public boolean solicited;
    public long remoteAddress;
    public int rkey;
    public int transport;
    public int srqn;
    public long lengthBytes;
    public long expectedOrAddend;
    public long replacement;

    /** Datagrams alone, from here on. */
    public int serviceLevel;

    public int qkey;

    /** Fills it from the current request of a connected queue pair. */
    public void describe(Qp qp) {
        describe(qp, Psn.packets(qp.sends().lengthBytes(), qp.pathMtuBytes()));
    }

    /** Fills it from the current request, which makes so many packets. */
    public void describe(Qp qp, long packetCount) {
        SendQueue sends = qp.sends();
        MemorySegment copies = sends.copies();
        long wqe = sends.copy();
        sourceLid = qp.route().sourceLid();
        destinationPort = qp.route().destinationPort();
        pkey = qp.route().pkey();
        sourceQpn = qp.qpn();
        transport = qp.requesterTransport();
        if (transport == Qp.XRC) {
            srqn = SendWqeLayout.srqn(copies, wqe);
        }
        destinationQpn = qp.destinationQpn();
        psn = qp.sqPsn();
        packets = packetCount;
        opcode = sends.opcode();
        immediate = SendWqeLayout.immediate(copies, wqe);
        solicited = sends.hasFlag(SendFlags.SOLICITED);
        remoteAddress = SendWqeLayout.remoteAddress(copies, wqe);
        rkey = SendWqeLayout.rkey(copies, wqe);
        lengthBytes = sends.lengthBytes();
        if (isAtomic()) {
            expectedOrAddend = SendWqeLayout.expectedOrAddend(copies, wqe);
            replacement = SendWqeLayout.replacement(copies, wqe);
        }
    }

    /**
     * Whether {@code qp} listens and is connected to who sent this: only the peer that this side
     * was connected to is heard (and it heard of nobody else).
     */
    public boolean isFromPeerOf(Qp qp) {
        return qp.isResponding()
                && qp.responderTransport() == transport
                && qp.destinationQpn() == sourceQpn
                && qp.route().destinationLid() == sourceLid
                && qp.port() == destinationPort;
    }

    /** Whether the responder spends a receive on it. */
    public boolean takesReceive() {
        return isSend() || opcode == SendWqeLayout.OPCODE_RDMA_WRITE_WITH_IMM;
    }

    public boolean isSend() {
        return opcode == SendWqeLayout.OPCODE_SEND
                || opcode == SendWqeLayout.OPCODE_SEND_WITH_IMM
                || opcode == SendWqeLayout.OPCODE_SEND_WITH_INV;
    }

    public boolean isWrite() {
        return opcode == SendWqeLayout.OPCODE_RDMA_WRITE || opcode == SendWqeLayout.OPCODE_RDMA_WRITE_WITH_IMM;
    }

    public boolean isRead() {
        return opcode == SendWqeLayout.OPCODE_RDMA_READ;
    }

    public boolean isAtomic() {
        return opcode == SendWqeLayout.OPCODE_COMPARE_AND_SWAP || opcode == SendWqeLayout.OPCODE_FETCH_AND_ADD;
    }

    /** Whether {@link #immediate} is a key of the responder's to end. */
    public boolean invalidates() {
        return opcode == SendWqeLayout.OPCODE_SEND_WITH_INV;
    }

    public boolean hasImmediate() {
        return opcode == SendWqeLayout.OPCODE_SEND_WITH_IMM || opcode == SendWqeLayout.OPCODE_RDMA_WRITE_WITH_IMM;
    }
}
