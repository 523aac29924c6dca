package io.hyperverbs.upper.ipoib.neighbour;

/** What happens to an entry of the table. */
enum NeighbourEvent {
    /** A packet is to go there. */
    USE,

    /** It answered a solicitation of this node. */
    REPLY,

    /** It asked this node for its address; its own, in the request, is not the one in the entry. */
    REQUEST,

    /** It announced its address unsolicited, or asked another node; the address is not the one in the entry. */
    ANNOUNCEMENT,

    /** Time is up: the confirmation is old, or a solicitation without reply that may be repeated. */
    TIMEOUT,

    /** Time is up after the last solicitation. */
    EXHAUSTED
}
