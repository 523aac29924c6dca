package io.hyperverbs.hca.qp;

import static io.hyperverbs.verbs.QpAttribute.ACCESS_FLAGS;
import static io.hyperverbs.verbs.QpAttribute.AV;
import static io.hyperverbs.verbs.QpAttribute.DEST_QPN;
import static io.hyperverbs.verbs.QpAttribute.EN_SQD_ASYNC_NOTIFY;
import static io.hyperverbs.verbs.QpAttribute.PATH_MTU;
import static io.hyperverbs.verbs.QpAttribute.PKEY_INDEX;
import static io.hyperverbs.verbs.QpAttribute.PORT;
import static io.hyperverbs.verbs.QpAttribute.RQ_PSN;
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

/** Legal moves of an unreliable-connection QP; {@link QpMoves} says how to read them. */
final class UcMoves {
    private static final Set<QpAttribute> NONE = Set.of();

    static final List<Move> MOVES = List.of(
            new Move(RESET, INIT, Set.of(PKEY_INDEX, PORT, ACCESS_FLAGS), NONE),
            new Move(INIT, INIT, NONE, Set.of(PKEY_INDEX, PORT, ACCESS_FLAGS)),
            new Move(INIT, RTR, Set.of(AV, PATH_MTU, DEST_QPN, RQ_PSN), Set.of(PKEY_INDEX, ACCESS_FLAGS)),
            new Move(RTR, RTS, Set.of(SQ_PSN), Set.of(ACCESS_FLAGS)),
            new Move(RTS, RTS, NONE, Set.of(ACCESS_FLAGS)),
            new Move(RTS, SQD, NONE, Set.of(EN_SQD_ASYNC_NOTIFY)),
            new Move(SQD, RTS, NONE, Set.of(ACCESS_FLAGS)),
            new Move(SQD, SQD, NONE, Set.of(AV, PKEY_INDEX, ACCESS_FLAGS)),
            new Move(SQE, RTS, NONE, Set.of(ACCESS_FLAGS)));

    private UcMoves() {}
}
