package io.hyperverbs.upper.dsm.options;

/** How the bytes of a minipage go to another node. */
public enum DataTransfer {
    /** By RDMA write to their place there (Liss 2003 §4). */
    RDMA_WRITE,
    /** In messages, which both sides copy. */
    SEND
}
