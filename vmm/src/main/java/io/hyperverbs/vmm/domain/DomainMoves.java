package io.hyperverbs.vmm.domain;

import static io.hyperverbs.vmm.domain.DomainState.CRASHED;
import static io.hyperverbs.vmm.domain.DomainState.DYING;
import static io.hyperverbs.vmm.domain.DomainState.RUNNING;
import static io.hyperverbs.vmm.domain.DomainState.SHUT_DOWN;
import static io.hyperverbs.vmm.domain.DomainState.STARTING;

import java.util.List;

/** Legal moves of a domain. A name that is used again is a new domain. */
final class DomainMoves {
    private record Move(DomainState from, DomainState to) {}

    private static final List<Move> MOVES = List.of(
            new Move(STARTING, RUNNING),
            new Move(STARTING, DYING),
            new Move(RUNNING, DYING),
            new Move(DYING, SHUT_DOWN),
            new Move(DYING, CRASHED));

    private DomainMoves() {}

    static boolean isLegal(DomainState from, DomainState to) {
        return MOVES.contains(new Move(from, to));
    }
}
