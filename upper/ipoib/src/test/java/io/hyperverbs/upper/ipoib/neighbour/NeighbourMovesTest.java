package io.hyperverbs.upper.ipoib.neighbour;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.upper.ipoib.neighbour.NeighbourMoves.Move;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NeighbourMovesTest {
    /** Every state with every event: the state it goes to and what is done, or a dash if nothing changes. */
    @ParameterizedTest
    @CsvSource({
        "ABSENT, USE, INCOMPLETE, SOLICIT_BY_MULTICAST",
        "ABSENT, REPLY, -, -",
        "ABSENT, REQUEST, STALE, STORE",
        "ABSENT, ANNOUNCEMENT, -, -",
        "ABSENT, TIMEOUT, -, -",
        "ABSENT, EXHAUSTED, -, -",
        "INCOMPLETE, USE, -, -",
        "INCOMPLETE, REPLY, REACHABLE, CONFIRM",
        "INCOMPLETE, REQUEST, STALE, STORE",
        "INCOMPLETE, ANNOUNCEMENT, STALE, STORE",
        "INCOMPLETE, TIMEOUT, INCOMPLETE, SOLICIT_BY_MULTICAST",
        "INCOMPLETE, EXHAUSTED, ABSENT, GIVE_UP",
        "REACHABLE, USE, -, -",
        "REACHABLE, REPLY, REACHABLE, CONFIRM",
        "REACHABLE, REQUEST, STALE, STORE",
        "REACHABLE, ANNOUNCEMENT, STALE, STORE",
        "REACHABLE, TIMEOUT, STALE, NONE",
        "REACHABLE, EXHAUSTED, -, -",
        "STALE, USE, PROBE, SOLICIT_BY_UNICAST",
        "STALE, REPLY, REACHABLE, CONFIRM",
        "STALE, REQUEST, STALE, STORE",
        "STALE, ANNOUNCEMENT, STALE, STORE",
        "STALE, TIMEOUT, -, -",
        "STALE, EXHAUSTED, -, -",
        "PROBE, USE, -, -",
        "PROBE, REPLY, REACHABLE, CONFIRM",
        "PROBE, REQUEST, STALE, STORE",
        "PROBE, ANNOUNCEMENT, STALE, STORE",
        "PROBE, TIMEOUT, PROBE, SOLICIT_BY_UNICAST",
        "PROBE, EXHAUSTED, ABSENT, GIVE_UP",
    })
    void movesAsTheTableSays(NeighbourState from, NeighbourEvent event, String to, String effect) {
        Move move = NeighbourMoves.find(from, event);

        assertThat(move == null ? "-" : move.to().name()).isEqualTo(to);
        assertThat(move == null ? "-" : move.effect().name()).isEqualTo(effect);
    }

    @Test
    void hasOneRowForEachStateAndEvent() {
        assertThat(NeighbourMoves.MOVES.stream().map(move -> move.from() + " " + move.event()))
                .doesNotHaveDuplicates();
        assertThat(NeighbourState.values().length * NeighbourEvent.values().length)
                .isEqualTo(30);
    }
}
