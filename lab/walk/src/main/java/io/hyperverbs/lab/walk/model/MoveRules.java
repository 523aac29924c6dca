package io.hyperverbs.lab.walk.model;

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
import static io.hyperverbs.verbs.QpAttribute.QKEY;
import static io.hyperverbs.verbs.QpAttribute.RETRY_CNT;
import static io.hyperverbs.verbs.QpAttribute.RNR_RETRY;
import static io.hyperverbs.verbs.QpAttribute.RQ_PSN;
import static io.hyperverbs.verbs.QpAttribute.SQ_PSN;
import static io.hyperverbs.verbs.QpAttribute.STATE;
import static io.hyperverbs.verbs.QpAttribute.TIMEOUT;

import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Moves of queue pairs and what each takes: the table of ibv_modify_qp(3). */
final class MoveRules {
    private static final int LARGEST_PSN = 0xff_ffff;
    static final int LARGEST_UNICAST_LID = 0xbfff;

    /** All rights but ZERO_BASED. */
    private static final int QP_RIGHTS = 31;

    /** A legal move. */
    private record Move(QpState from, QpState to, Set<QpAttribute> required, Set<QpAttribute> optional) {
        boolean takes(QpAttribute attribute) {
            return required.contains(attribute) || optional.contains(attribute);
        }
    }

    private static final List<Move> MOVES = List.of(
            new Move(QpState.RESET, QpState.INIT, EnumSet.of(PKEY_INDEX, PORT, ACCESS_FLAGS), Set.of()),
            new Move(QpState.INIT, QpState.INIT, Set.of(), EnumSet.of(PKEY_INDEX, PORT, ACCESS_FLAGS)),
            new Move(
                    QpState.INIT,
                    QpState.RTR,
                    EnumSet.of(AV, PATH_MTU, DEST_QPN, RQ_PSN, MAX_DEST_RD_ATOMIC, MIN_RNR_TIMER),
                    EnumSet.of(PKEY_INDEX, ACCESS_FLAGS)),
            new Move(
                    QpState.RTR,
                    QpState.RTS,
                    EnumSet.of(SQ_PSN, TIMEOUT, RETRY_CNT, RNR_RETRY, MAX_QP_RD_ATOMIC),
                    EnumSet.of(ACCESS_FLAGS, MIN_RNR_TIMER)),
            new Move(QpState.RTS, QpState.RTS, Set.of(), EnumSet.of(ACCESS_FLAGS, MIN_RNR_TIMER)),
            new Move(QpState.RTS, QpState.SQD, Set.of(), EnumSet.of(EN_SQD_ASYNC_NOTIFY)),
            new Move(QpState.SQD, QpState.RTS, Set.of(), EnumSet.of(ACCESS_FLAGS, MIN_RNR_TIMER)),
            new Move(
                    QpState.SQD,
                    QpState.SQD,
                    Set.of(),
                    EnumSet.of(
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

    private static final List<Move> UC_MOVES = List.of(
            new Move(QpState.RESET, QpState.INIT, EnumSet.of(PKEY_INDEX, PORT, ACCESS_FLAGS), Set.of()),
            new Move(QpState.INIT, QpState.INIT, Set.of(), EnumSet.of(PKEY_INDEX, PORT, ACCESS_FLAGS)),
            new Move(
                    QpState.INIT,
                    QpState.RTR,
                    EnumSet.of(AV, PATH_MTU, DEST_QPN, RQ_PSN),
                    EnumSet.of(PKEY_INDEX, ACCESS_FLAGS)),
            new Move(QpState.RTR, QpState.RTS, EnumSet.of(SQ_PSN), EnumSet.of(ACCESS_FLAGS)),
            new Move(QpState.RTS, QpState.RTS, Set.of(), EnumSet.of(ACCESS_FLAGS)),
            new Move(QpState.RTS, QpState.SQD, Set.of(), EnumSet.of(EN_SQD_ASYNC_NOTIFY)),
            new Move(QpState.SQD, QpState.RTS, Set.of(), EnumSet.of(ACCESS_FLAGS)),
            new Move(QpState.SQD, QpState.SQD, Set.of(), EnumSet.of(AV, PKEY_INDEX, ACCESS_FLAGS)),
            new Move(QpState.SQE, QpState.RTS, Set.of(), EnumSet.of(ACCESS_FLAGS)));

    private static final List<Move> UD_MOVES = List.of(
            new Move(QpState.RESET, QpState.INIT, EnumSet.of(PKEY_INDEX, PORT, QKEY), Set.of()),
            new Move(QpState.INIT, QpState.INIT, Set.of(), EnumSet.of(PKEY_INDEX, PORT, QKEY)),
            new Move(QpState.INIT, QpState.RTR, Set.of(), EnumSet.of(PKEY_INDEX, QKEY)),
            new Move(QpState.RTR, QpState.RTS, EnumSet.of(SQ_PSN), EnumSet.of(QKEY)),
            new Move(QpState.RTS, QpState.RTS, Set.of(), EnumSet.of(QKEY)),
            new Move(QpState.RTS, QpState.SQD, Set.of(), EnumSet.of(EN_SQD_ASYNC_NOTIFY)),
            new Move(QpState.SQD, QpState.RTS, Set.of(), EnumSet.of(QKEY)),
            new Move(QpState.SQD, QpState.SQD, Set.of(), EnumSet.of(PKEY_INDEX, QKEY)),
            new Move(QpState.SQE, QpState.RTS, Set.of(), EnumSet.of(QKEY)));

    private MoveRules() {}

    private static List<Move> moves(QpType type) {
        return switch (type) {
            case UC -> UC_MOVES;
            case UD -> UD_MOVES;
            default -> MOVES;
        };
    }

    /** Whether a queue pair takes these attributes as it is. */
    static boolean isLegal(ModelQp qp, Map<QpAttribute, Long> values, HcaFacts hca) {
        QpState from = qp.state;
        Long asked = values.get(STATE);
        if (asked != null && !QpState.isCode(asked)) {
            return false;
        }
        QpState to = asked == null ? from : QpState.of((int) (long) asked);
        Set<QpAttribute> given = EnumSet.noneOf(QpAttribute.class);
        given.addAll(values.keySet());
        given.remove(STATE);
        given.remove(CUR_STATE);
        boolean inRange = values.entrySet().stream().allMatch(e -> inRange(e.getKey(), e.getValue(), from, hca));
        if (!inRange) {
            return false;
        }
        if (to == QpState.RESET || to == QpState.ERR) {
            return given.isEmpty();
        }
        for (Move move : moves(qp.type)) {
            if (move.from == from && move.to == to) {
                return given.containsAll(move.required) && given.stream().allMatch(move::takes);
            }
        }
        return false;
    }

    private static boolean inRange(QpAttribute attribute, long value, QpState from, HcaFacts hca) {
        return switch (attribute) {
            case STATE -> true;
            case CUR_STATE -> value == from.code();
            case EN_SQD_ASYNC_NOTIFY -> value == 0 || value == 1;
            case ACCESS_FLAGS -> value >= 0 && value <= QP_RIGHTS;
            case PKEY_INDEX -> value == 0;
            case PORT -> value == 1;
            case QKEY -> value >= 0 && value <= Integer.MAX_VALUE;
            case AV -> value >= 1 && value <= LARGEST_UNICAST_LID;
            case PATH_MTU -> value >= 256 && value <= Math.min(4096, hca.activeMtuBytes()) && Long.bitCount(value) == 1;
            case TIMEOUT, MIN_RNR_TIMER -> value >= 0 && value <= 31;
            case RETRY_CNT, RNR_RETRY -> value >= 0 && value <= 7;
            case RQ_PSN, SQ_PSN, DEST_QPN -> value >= 0 && value <= LARGEST_PSN;
            case MAX_QP_RD_ATOMIC, MAX_DEST_RD_ATOMIC -> value >= 0 && value <= hca.maxReadAtomic();
        };
    }
}
