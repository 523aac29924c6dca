package io.hyperverbs.hca.qp;

import static io.hyperverbs.verbs.QpAttribute.ACCESS_FLAGS;
import static io.hyperverbs.verbs.QpAttribute.AV;
import static io.hyperverbs.verbs.QpAttribute.CUR_STATE;
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
import static io.hyperverbs.verbs.QpAttribute.STATE;
import static io.hyperverbs.verbs.QpAttribute.TIMEOUT;
import static io.hyperverbs.verbs.QpState.ERR;
import static io.hyperverbs.verbs.QpState.INIT;
import static io.hyperverbs.verbs.QpState.RESET;
import static io.hyperverbs.verbs.QpState.RTR;
import static io.hyperverbs.verbs.QpState.RTS;
import static io.hyperverbs.verbs.QpState.SQD;
import static io.hyperverbs.verbs.QpState.SQE;

import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Legal moves of a queue pair, what each must set and what it may set: {@code ibv_modify_qp(3)};
 * IBA vol. 1, Modify QP. The rows here are those of RC; {@link UcMoves}, {@link UdMoves} and {@link
 * XrcMoves} have the others. A change of attributes without a change of state is a move from a
 * state to itself. Any state may go to RESET and to ERR.
 */
public final class QpMoves {
    /** One row. STATE and CUR_STATE may always be given and are in neither set. */
    public record Move(QpState from, QpState to, Set<QpAttribute> required, Set<QpAttribute> optional) {}

    private static final Set<QpAttribute> NONE = Set.of();

    static final List<Move> RC_MOVES = List.of(
            new Move(RESET, INIT, Set.of(PKEY_INDEX, PORT, ACCESS_FLAGS), NONE),
            new Move(INIT, INIT, NONE, Set.of(PKEY_INDEX, PORT, ACCESS_FLAGS)),
            new Move(
                    INIT,
                    RTR,
                    Set.of(AV, PATH_MTU, DEST_QPN, RQ_PSN, MAX_DEST_RD_ATOMIC, MIN_RNR_TIMER),
                    Set.of(PKEY_INDEX, ACCESS_FLAGS)),
            new Move(
                    RTR,
                    RTS,
                    Set.of(SQ_PSN, MAX_QP_RD_ATOMIC, RETRY_CNT, RNR_RETRY, TIMEOUT),
                    Set.of(ACCESS_FLAGS, MIN_RNR_TIMER)),
            new Move(RTS, RTS, NONE, Set.of(ACCESS_FLAGS, MIN_RNR_TIMER)),
            new Move(RTS, SQD, NONE, Set.of(EN_SQD_ASYNC_NOTIFY)),
            new Move(SQD, RTS, NONE, Set.of(ACCESS_FLAGS, MIN_RNR_TIMER)),
            new Move(
                    SQD,
                    SQD,
                    NONE,
                    Set.of(
                            PORT,
                            AV,
                            TIMEOUT,
                            RETRY_CNT,
                            RNR_RETRY,
                            MAX_QP_RD_ATOMIC,
                            MAX_DEST_RD_ATOMIC,
                            PKEY_INDEX,
                            ACCESS_FLAGS,
                            MIN_RNR_TIMER)));

    private QpMoves() {}

    /** The row for that move, or null if it is not legal. */
    public static @Nullable Move find(QpType type, QpState from, QpState to) {
        if (to == RESET || to == ERR) {
            return new Move(from, to, NONE, NONE);
        }
        for (Move move : rows(type)) {
            if (move.from == from && move.to == to) {
                return move;
            }
        }
        return null;
    }

    /** Legal, or one that the engine makes by itself: to SQE, after a send of UC or UD failed. */
    static boolean isPossible(QpType type, QpState from, QpState to) {
        if (to == SQE) {
            return (type == QpType.UC || type == QpType.UD) && (from == RTS || from == SQD);
        }
        return find(type, from, to) != null;
    }

    private static List<Move> rows(QpType type) {
        return switch (type) {
            case RC -> RC_MOVES;
            case XRC_SEND -> XrcMoves.INITIATOR;
            case XRC_RECV -> XrcMoves.TARGET;
            case UC -> UcMoves.MOVES;
            case UD -> UdMoves.MOVES;
        };
    }

    /** Whether a move with these attributes is complete and has nothing too many; else why not. */
    static @Nullable String refuse(Move move, Set<QpAttribute> given) {
        for (QpAttribute attribute : move.required) {
            if (!given.contains(attribute)) {
                return move.from + " to " + move.to + " needs " + attribute;
            }
        }
        for (QpAttribute attribute : given) {
            if (attribute != STATE
                    && attribute != CUR_STATE
                    && !move.required.contains(attribute)
                    && !move.optional.contains(attribute)) {
                return move.from + " to " + move.to + " does not take " + attribute;
            }
        }
        return null;
    }
}
