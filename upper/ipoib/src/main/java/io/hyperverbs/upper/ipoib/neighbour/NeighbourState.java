package io.hyperverbs.upper.ipoib.neighbour;

/** Where an entry of the table is (RFC 4861 §7.3.2; there is no DELAY here). */
public enum NeighbourState {
    /** No entry. */
    ABSENT,

    /** Solicited by multicast; packets wait. */
    INCOMPLETE,

    /** Its address was confirmed by a reply, not longer ago than {@link NeighbourTable#REACHABLE_NANOS}. */
    REACHABLE,

    /** It has an address that is not confirmed, or no longer; the next packet to it begins a probe. */
    STALE,

    /** Solicited by unicast; packets go to the address that is there. */
    PROBE
}
