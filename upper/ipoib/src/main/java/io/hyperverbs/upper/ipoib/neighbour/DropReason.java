package io.hyperverbs.upper.ipoib.neighbour;

/** Why a packet that waited for an address will not be sent. */
public enum DropReason {
    /** Nobody answered; the caller may answer the packet's sender with ICMP unreachable. */
    UNREACHABLE,

    /** More packets wait for the same neighbour than may; the oldest goes. */
    QUEUE_FULL,

    /** Its neighbour's entry was the least recently used one of a full table. */
    TABLE_FULL,

    /** The caller cleared the table. */
    CLEARED
}
