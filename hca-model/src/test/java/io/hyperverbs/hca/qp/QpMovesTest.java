package io.hyperverbs.hca.qp;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The tables against the specification's picture of states, and what a row takes. */
class QpMovesTest {
    private static boolean isDrawn(QpType type, QpState from, QpState to) {
        boolean requests = type != QpType.XRC_RECV;
        return switch (to) {
            case RESET, ERR -> true;
            case INIT -> from == QpState.RESET || from == QpState.INIT;
            case RTR -> from == QpState.INIT;
            case RTS ->
                from == QpState.RTR
                        || from == QpState.RTS
                        || (from == QpState.SQD && requests)
                        || (from == QpState.SQE && isUnacknowledged(type));
            case SQD -> (from == QpState.RTS || from == QpState.SQD) && requests;
            case SQE -> false;
        };
    }

    private static boolean isUnacknowledged(QpType type) {
        return type == QpType.UC || type == QpType.UD;
    }

    @ParameterizedTest
    @EnumSource
    void hasTheMovesOfThePictureAndNoOther(QpType type) {
        for (QpState from : QpState.values()) {
            for (QpState to : QpState.values()) {
                QpMoves.Move move = QpMoves.find(type, from, to);

                assertThat(move != null).as("%s to %s", from, to).isEqualTo(isDrawn(type, from, to));
                if (move != null) {
                    assertThat(move.from()).isEqualTo(from);
                    assertThat(move.to()).isEqualTo(to);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void onlyAFailedSendOfAnUnacknowledgedTransportLeadsToSqe(QpType type) {
        for (QpState from : QpState.values()) {
            boolean sends = from == QpState.RTS || from == QpState.SQD;

            assertThat(QpMoves.isPossible(type, from, QpState.SQE))
                    .as("%s", from)
                    .isEqualTo(sends && isUnacknowledged(type));
            for (QpState to : QpState.values()) {
                if (to != QpState.SQE) {
                    assertThat(QpMoves.isPossible(type, from, to)).isEqualTo(isDrawn(type, from, to));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void rowsTakeWhatTheyNameAndNoMore(QpType type) {
        for (QpState from : QpState.values()) {
            for (QpState to : QpState.values()) {
                QpMoves.Move move = QpMoves.find(type, from, to);
                if (move == null) {
                    continue;
                }
                assertThat(QpMoves.refuse(move, move.required())).isNull();
                for (QpAttribute attribute : QpAttribute.values()) {
                    Set<QpAttribute> given = EnumSet.noneOf(QpAttribute.class);
                    given.addAll(move.required());
                    if (move.required().contains(attribute)) {
                        given.remove(attribute);
                        assertThat(QpMoves.refuse(move, given)).endsWith("needs " + attribute);
                        continue;
                    }
                    given.add(attribute);
                    boolean taken = move.optional().contains(attribute)
                            || attribute == QpAttribute.STATE
                            || attribute == QpAttribute.CUR_STATE;
                    if (taken) {
                        assertThat(QpMoves.refuse(move, given)).isNull();
                    } else {
                        assertThat(QpMoves.refuse(move, given)).endsWith("does not take " + attribute);
                    }
                }
            }
        }
    }

    @Test
    void toResetAndErrNothingIsTaken() {
        for (QpState to : new QpState[] {QpState.RESET, QpState.ERR}) {
            QpMoves.Move move = QpMoves.find(QpType.RC, QpState.RTS, to);

            assertThat(move.required()).isEmpty();
            assertThat(move.optional()).isEmpty();
        }
    }
}
