package io.hyperverbs.hca.qp;

import static io.hyperverbs.verbs.QpAttribute.ACCESS_FLAGS;
import static io.hyperverbs.verbs.QpAttribute.AV;
import static io.hyperverbs.verbs.QpAttribute.DEST_QPN;
import static io.hyperverbs.verbs.QpAttribute.EN_SQD_ASYNC_NOTIFY;
import static io.hyperverbs.verbs.QpAttribute.MAX_DEST_RD_ATOMIC;
import static io.hyperverbs.verbs.QpAttribute.MAX_QP_RD_ATOMIC;
import static io.hyperverbs.verbs.QpAttribute.MIN_RNR_TIMER;
import static io.hyperverbs.verbs.QpAttribute.PATH_MTU;
import static io.hyperverbs.verbs.QpAttribute.PKEY_INDEX;
import static io.hyperverbs.verbs.QpAttribute.PORT;
import static io.hyperverbs.verbs.QpAttribute.RETRY_CNT;
import static io.hyperverbs.verbs.QpAttribute.RNR_RETRY;
import static io.hyperverbs.verbs.QpAttribute.RQ_PSN;
import static io.hyperverbs.verbs.QpAttribute.SQ_PSN;
import static io.hyperverbs.verbs.QpAttribute.TIMEOUT;
import static io.hyperverbs.verbs.QpState.INIT;
import static io.hyperverbs.verbs.QpState.RESET;
import static io.hyperverbs.verbs.QpState.RTR;
import static io.hyperverbs.verbs.QpState.RTS;
import static io.hyperverbs.verbs.QpState.SQD;

import io.hyperverbs.hca.qp.QpMoves.Move;
import io.hyperverbs.verbs.QpAttribute;
import java.util.List;
import java.util.Set;

/**
 * Legal moves of the two ends of XRC, as {@link QpMoves} has them for RC: each end has the
 * attributes of its half alone. A target has no send queue, so there is nothing to drain.
 */
final class XrcMoves {
    private static final Set<QpAttribute> NONE = Set.of();
    private static final Set<QpAttribute> PLACE = Set.of(PKEY_INDEX, PORT, ACCESS_FLAGS);

    static final List<Move> INITIATOR = List.of(
            new Move(RESET, INIT, PLACE, NONE),
            new Move(INIT, INIT, NONE, PLACE),
            new Move(INIT, RTR, Set.of(AV, PATH_MTU, DEST_QPN, RQ_PSN), Set.of(PKEY_INDEX, ACCESS_FLAGS)),
            new Move(RTR, RTS, Set.of(SQ_PSN, MAX_QP_RD_ATOMIC, RETRY_CNT, RNR_RETRY, TIMEOUT), Set.of(ACCESS_FLAGS)),
            new Move(RTS, RTS, NONE, Set.of(ACCESS_FLAGS)),
            new Move(RTS, SQD, NONE, Set.of(EN_SQD_ASYNC_NOTIFY)),
            new Move(SQD, RTS, NONE, Set.of(ACCESS_FLAGS)),
            new Move(
                    SQD,
                    SQD,
                    NONE,
                    Set.of(PORT, AV, TIMEOUT, RETRY_CNT, RNR_RETRY, MAX_QP_RD_ATOMIC, PKEY_INDEX, ACCESS_FLAGS)));

    static final List<Move> TARGET = List.of(
            new Move(RESET, INIT, PLACE, NONE),
            new Move(INIT, INIT, NONE, PLACE),
            new Move(
                    INIT,
                    RTR,
                    Set.of(AV, PATH_MTU, DEST_QPN, RQ_PSN, MAX_DEST_RD_ATOMIC, MIN_RNR_TIMER),
                    Set.of(PKEY_INDEX, ACCESS_FLAGS)),
            new Move(RTR, RTS, Set.of(SQ_PSN, TIMEOUT), Set.of(ACCESS_FLAGS, MIN_RNR_TIMER)),
            new Move(RTS, RTS, NONE, Set.of(ACCESS_FLAGS, MIN_RNR_TIMER)));

    private XrcMoves() {}
}
