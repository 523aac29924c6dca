package io.hyperverbs.hca.qp;

import static io.hyperverbs.verbs.QpAttribute.EN_SQD_ASYNC_NOTIFY;
import static io.hyperverbs.verbs.QpAttribute.PKEY_INDEX;
import static io.hyperverbs.verbs.QpAttribute.PORT;
import static io.hyperverbs.verbs.QpAttribute.QKEY;
import static io.hyperverbs.verbs.QpAttribute.SQ_PSN;
import static io.hyperverbs.verbs.QpState.INIT;
import static io.hyperverbs.verbs.QpState.RESET;
import static io.hyperverbs.verbs.QpState.RTR;
import static io.hyperverbs.verbs.QpState.RTS;
import static io.hyperverbs.verbs.QpState.SQD;
import static io.hyperverbs.verbs.QpState.SQE;

import io.hyperverbs.hca.qp.QpMoves.Move;
import io.hyperverbs.verbs.QpAttribute;
import java.util.List;
import java.util.Set;

/** Legal moves of an unreliable-datagram QP; {@link QpMoves} says how to read them. */
final class UdMoves {
    private static final Set<QpAttribute> NONE = Set.of();

    static final List<Move> MOVES = List.of(
            new Move(RESET, INIT, Set.of(PKEY_INDEX, PORT, QKEY), NONE),
            new Move(INIT, INIT, NONE, Set.of(PKEY_INDEX, PORT, QKEY)),
            new Move(INIT, RTR, NONE, Set.of(PKEY_INDEX, QKEY)),
            new Move(RTR, RTS, Set.of(SQ_PSN), Set.of(QKEY)),
            new Move(RTS, RTS, NONE, Set.of(QKEY)),
            new Move(RTS, SQD, NONE, Set.of(EN_SQD_ASYNC_NOTIFY)),
            new Move(SQD, RTS, NONE, Set.of(QKEY)),
            new Move(SQD, SQD, NONE, Set.of(PKEY_INDEX, QKEY)),
            new Move(SQE, RTS, NONE, Set.of(QKEY)));

    private UdMoves() {}
}
