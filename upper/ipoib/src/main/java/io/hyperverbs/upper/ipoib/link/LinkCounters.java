package io.hyperverbs.upper.ipoib.link;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/** What became of packets that were not carried. Any thread. */
final class LinkCounters {
    /** Why a packet was dropped. */
    enum Drop {
        /** Nobody answered for its address, or too many packets waited for the answer. */
        UNREACHABLE,

        /** It goes to a group, and this node is in too many. */
        NO_GROUP,

        /** It is no IP packet, or one longer than the link takes. */
        MALFORMED,

        /** The HCA could not send it, or its connection's queue was full. */
        NOT_SENT,

        /** Its way takes shorter ones, which ICMP has said to its socket. */
        TOO_LONG,

        /** A connection that a neighbour asked for, for want of a queue pair. */
        REFUSED,

        /** It said that it came from a hardware address from which it did not come. */
        FORGED
    }

    private final Map<Drop, LongAdder> drops = new EnumMap<>(Drop.class);

    LinkCounters() {
        for (Drop drop : Drop.values()) {
            drops.put(drop, new LongAdder());
        }
    }

    void count(Drop drop) {
        LongAdder counter = drops.get(drop);
        if (counter != null) {
            counter.increment();
        }
    }

    /** Such as {@code unreachable 3, no_group 0}. */
    @Override
    public String toString() {
        return drops.entrySet().stream()
                .map(one -> one.getKey().name().toLowerCase(Locale.ROOT) + " " + one.getValue())
                .collect(Collectors.joining(", "));
    }
}
