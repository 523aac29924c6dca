package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.Side;
import io.hyperverbs.lab.conformance.rig.SideOptions;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.VerbsException;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Ways into each state of an RC queue pair, and the legal moves (IBA 10.3.1, ibv_modify_qp). */
final class QpStates {
    /** States that an RC queue pair can be in; SQE is of unreliable transports. */
    static final Set<QpState> REACHABLE = EnumSet.complementOf(EnumSet.of(QpState.SQE));

    private static final Map<QpState, Set<QpState>> LEGAL = Map.of(
            QpState.RESET, EnumSet.of(QpState.INIT),
            QpState.INIT, EnumSet.of(QpState.INIT, QpState.RTR),
            QpState.RTR, EnumSet.of(QpState.RTS),
            QpState.RTS, EnumSet.of(QpState.RTS, QpState.SQD),
            QpState.SQD, EnumSet.of(QpState.RTS, QpState.SQD),
            QpState.ERR, EnumSet.noneOf(QpState.class));

    private QpStates() {}

    static boolean isLegal(QpState from, QpState to) {
        return to == QpState.RESET
                || to == QpState.ERR
                || LEGAL.getOrDefault(from, Set.of()).contains(to);
    }

    /** A side whose queue pair is connected to itself, in {@code state}. */
    static Side in(Rig rig, QpState state) throws VerbsException {
        Side side = rig.side(SideOptions.standard());
        walk(side, state);
        return side;
    }

    /** Takes a queue pair in RESET to {@code state}, connected to itself. */
    static void walk(Side side, QpState state) throws VerbsException {
        if (state == QpState.RESET) {
            return;
        }
        side.toInit();
        if (state == QpState.INIT) {
            return;
        }
        side.toRtr(side.endpoint());
        if (state == QpState.RTR) {
            return;
        }
        side.toRts();
        if (state != QpState.RTS) {
            side.to(state);
        }
    }

    /** Everything that a first move to {@code to} needs. */
    static QpAttributes attributes(Side side, QpState to) throws VerbsException {
        return switch (to) {
            case INIT -> QpAttributes.toInit(SideOptions.standard().qpAccess());
            case RTR -> QpAttributes.toRtr(side.endpoint());
            case RTS -> QpAttributes.toRts(side.psn());
            case RESET, SQD, SQE, ERR -> QpAttributes.to(to);
        };
    }

    /** Whether {@code from} to {@code to} is the move that {@link #attributes} is for. */
    static boolean isFirst(QpState from, QpState to) {
        return (from == QpState.RESET && to == QpState.INIT)
                || (from == QpState.INIT && to == QpState.RTR)
                || (from == QpState.RTR && to == QpState.RTS);
    }

    static String label(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
