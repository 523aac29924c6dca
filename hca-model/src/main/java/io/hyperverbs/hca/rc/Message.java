package io.hyperverbs.hca.rc;

import io.hyperverbs.hca.layout.SendWqeLayout;

/**
 * A request on its way from requester to responder, with what the headers of its packets would say.
 * The source is stamped by the card, never taken from a work request. Reused.
 */
final class Message {
    int sourceLid;
    int sourceQpn;
    int destinationQpn;
    int destinationPort;
    int pkey;
    int psn;
    long packets;
    int opcode;
    int immediate;
    boolean solicited;
    long remoteAddress;
    int rkey;
    int transport;
    int srqn;
    long lengthBytes;
    long expectedOrAddend;
    long replacement;

    /** Whether the responder spends a receive on it. */
    boolean takesReceive() {
        return isSend() || opcode == SendWqeLayout.OPCODE_RDMA_WRITE_WITH_IMM;
    }

    boolean isSend() {
        return opcode == SendWqeLayout.OPCODE_SEND
                || opcode == SendWqeLayout.OPCODE_SEND_WITH_IMM
                || opcode == SendWqeLayout.OPCODE_SEND_WITH_INV;
    }

    boolean isWrite() {
        return opcode == SendWqeLayout.OPCODE_RDMA_WRITE
                || opcode == SendWqeLayout.OPCODE_RDMA_WRITE_WITH_IMM;
    }

    boolean isRead() {
        return opcode == SendWqeLayout.OPCODE_RDMA_READ;
    }

    boolean isAtomic() {
        return opcode == SendWqeLayout.OPCODE_COMPARE_AND_SWAP
                || opcode == SendWqeLayout.OPCODE_FETCH_AND_ADD;
    }

    /** Whether {@link #immediate} is a key of the responder's to end. */
    boolean invalidates() {
        return opcode == SendWqeLayout.OPCODE_SEND_WITH_INV;
    }

    boolean hasImmediate() {
        return opcode == SendWqeLayout.OPCODE_SEND_WITH_IMM
                || opcode == SendWqeLayout.OPCODE_RDMA_WRITE_WITH_IMM;
    }
}
