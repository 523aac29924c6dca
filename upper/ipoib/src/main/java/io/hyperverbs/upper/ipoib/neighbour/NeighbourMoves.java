package io.hyperverbs.upper.ipoib.neighbour;

import static io.hyperverbs.upper.ipoib.neighbour.NeighbourEvent.ANNOUNCEMENT;
import static io.hyperverbs.upper.ipoib.neighbour.NeighbourEvent.EXHAUSTED;
import static io.hyperverbs.upper.ipoib.neighbour.NeighbourEvent.REPLY;
import static io.hyperverbs.upper.ipoib.neighbour.NeighbourEvent.REQUEST;
import static io.hyperverbs.upper.ipoib.neighbour.NeighbourEvent.TIMEOUT;
import static io.hyperverbs.upper.ipoib.neighbour.NeighbourEvent.USE;
import static io.hyperverbs.upper.ipoib.neighbour.NeighbourState.ABSENT;
import static io.hyperverbs.upper.ipoib.neighbour.NeighbourState.INCOMPLETE;
import static io.hyperverbs.upper.ipoib.neighbour.NeighbourState.PROBE;
import static io.hyperverbs.upper.ipoib.neighbour.NeighbourState.REACHABLE;
import static io.hyperverbs.upper.ipoib.neighbour.NeighbourState.STALE;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Moves of a neighbour and what each does: RFC 4861 §7.2 and appendix C, for ARP alike. An event without a row changes
 * nothing. In particular nobody makes an entry by a reply or an announcement that this node did not ask for, so that
 * floods of them fill no table; and none but a reply makes one reachable.
 */
final class NeighbourMoves {
    /** What a move does besides the change of state. */
    enum Effect {
        /** Nothing. */
        NONE,

        /** Solicit by multicast, and again in a second. */
        SOLICIT_BY_MULTICAST,

        /** Solicit by unicast, and again in a second. */
        SOLICIT_BY_UNICAST,

        /** Take the address that came, and send the packets that waited for it. */
        STORE,

        /** The same, and note the time. */
        CONFIRM,

        /** Drop the packets that wait. */
        GIVE_UP
    }

    /** One row. */
    record Move(NeighbourState from, NeighbourEvent event, NeighbourState to, Effect effect) {}

    static final List<Move> MOVES = List.of(
            new Move(ABSENT, USE, INCOMPLETE, Effect.SOLICIT_BY_MULTICAST),
            new Move(ABSENT, REQUEST, STALE, Effect.STORE),
            new Move(INCOMPLETE, REPLY, REACHABLE, Effect.CONFIRM),
            new Move(INCOMPLETE, REQUEST, STALE, Effect.STORE),
            new Move(INCOMPLETE, ANNOUNCEMENT, STALE, Effect.STORE),
            new Move(INCOMPLETE, TIMEOUT, INCOMPLETE, Effect.SOLICIT_BY_MULTICAST),
            new Move(INCOMPLETE, EXHAUSTED, ABSENT, Effect.GIVE_UP),
            new Move(REACHABLE, REPLY, REACHABLE, Effect.CONFIRM),
            new Move(REACHABLE, REQUEST, STALE, Effect.STORE),
            new Move(REACHABLE, ANNOUNCEMENT, STALE, Effect.STORE),
            new Move(REACHABLE, TIMEOUT, STALE, Effect.NONE),
            new Move(STALE, USE, PROBE, Effect.SOLICIT_BY_UNICAST),
            new Move(STALE, REPLY, REACHABLE, Effect.CONFIRM),
            new Move(STALE, REQUEST, STALE, Effect.STORE),
            new Move(STALE, ANNOUNCEMENT, STALE, Effect.STORE),
            new Move(PROBE, REPLY, REACHABLE, Effect.CONFIRM),
            new Move(PROBE, REQUEST, STALE, Effect.STORE),
            new Move(PROBE, ANNOUNCEMENT, STALE, Effect.STORE),
            new Move(PROBE, TIMEOUT, PROBE, Effect.SOLICIT_BY_UNICAST),
            new Move(PROBE, EXHAUSTED, ABSENT, Effect.GIVE_UP));

    private static final Map<NeighbourState, Map<NeighbourEvent, Move>> BY_STATE = byState();

    private NeighbourMoves() {}

    private static Map<NeighbourState, Map<NeighbourEvent, Move>> byState() {
        Map<NeighbourState, Map<NeighbourEvent, Move>> rows = new EnumMap<>(NeighbourState.class);
        for (NeighbourState state : NeighbourState.values()) {
            rows.put(state, new EnumMap<>(NeighbourEvent.class));
        }
        for (Move move : MOVES) {
            rows.getOrDefault(move.from, Map.of()).put(move.event, move);
        }
        return rows;
    }

    /** The row of that event, or null if it changes nothing. */
    static @Nullable Move find(NeighbourState from, NeighbourEvent event) {
        return BY_STATE.getOrDefault(from, Map.of()).get(event);
    }
}
