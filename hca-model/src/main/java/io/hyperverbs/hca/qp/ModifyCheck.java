package io.hyperverbs.hca.qp;

import io.hyperverbs.hca.port.PkeyTable;
import io.hyperverbs.hca.port.PortTable;
import io.hyperverbs.hca.port.RouteCheck;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.GlobalRoute;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.StaticRate;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Decides about a modify as a whole, without effects: the move and the range of each value. */
public final class ModifyCheck {
    private static final int QP_RIGHTS = Access.LOCAL_WRITE.bit()
            | Access.REMOTE_WRITE.bit()
            | Access.REMOTE_READ.bit()
            | Access.REMOTE_ATOMIC.bit()
            | Access.MW_BIND.bit();
    private static final int MAX_UNICAST_LID = 0xbfff;

    private final PortTable ports;
    private final int maxReadAtomic;

    public ModifyCheck(PortTable ports, int maxReadAtomic) {
        this.ports = ports;
        this.maxReadAtomic = maxReadAtomic;
    }

    /**
     * Why the change is refused, or null if all of it can be applied.
     *
     * @param pkeys those that the queue pair may have
     */
    public @Nullable String refuse(QpType type, QpState current, PkeyTable pkeys, QpAttributes attributes) {
        GlobalRoute route = attributes.route();
        for (Map.Entry<QpAttribute, Long> entry : attributes.values().entrySet()) {
            // Of an address vector with a GID the LID may be 0.
            boolean isByGid = entry.getKey() == QpAttribute.AV && route != null && entry.getValue() == 0;
            if (!isByGid && !isInRange(entry.getKey(), entry.getValue(), pkeys)) {
                return entry.getKey() + " " + entry.getValue() + " is out of range";
            }
        }
        if (!StaticRate.isCode(attributes.staticRate())) {
            return "static rate " + attributes.staticRate() + ", must be 0 to " + StaticRate.MAX_CODE;
        }
        String refusal = route == null ? null : refuse(route);
        if (refusal != null) {
            return refusal;
        }
        if (attributes.has(QpAttribute.CUR_STATE) && attributes.get(QpAttribute.CUR_STATE) != current.code()) {
            return "queue pair is in " + current + ", not in the CUR_STATE given";
        }
        QpState to = target(current, attributes);
        QpMoves.Move move = QpMoves.find(type, current, to);
        return move == null
                ? "no move from " + current + " to " + to
                : QpMoves.refuse(move, attributes.values().keySet());
    }

    /** The state asked for; the current one if none is. */
    public static QpState target(QpState current, QpAttributes attributes) {
        return attributes.has(QpAttribute.STATE) ? attributes.state() : current;
    }

    private static @Nullable String refuse(GlobalRoute route) {
        if (route.destination().isMulticast() || route.destination().isZero()) {
            return "GID " + route.destination() + " is no port's";
        }
        return RouteCheck.refuse(route);
    }

    private boolean isInRange(QpAttribute attribute, long value, PkeyTable pkeys) {
        return switch (attribute) {
            case STATE, CUR_STATE -> QpState.isCode(value);
            case EN_SQD_ASYNC_NOTIFY -> value == 0 || value == 1;
            case ACCESS_FLAGS -> (value & ~QP_RIGHTS) == 0;
            case PKEY_INDEX -> value >= 0 && value < pkeys.count();
            case PORT -> ports.isPort(value);
            case QKEY -> value >= 0 && value <= 0xffff_ffffL;
            case AV -> value >= 1 && value <= MAX_UNICAST_LID;
            case PATH_MTU ->
                value >= 256 && value <= Math.min(4096, ports.settings().mtuBytes()) && Long.bitCount(value) == 1;
            case TIMEOUT, MIN_RNR_TIMER -> value >= 0 && value <= 31;
            case RETRY_CNT, RNR_RETRY -> value >= 0 && value <= 7;
            case RQ_PSN, SQ_PSN, DEST_QPN -> value >= 0 && value <= Psn.MASK;
            case MAX_QP_RD_ATOMIC, MAX_DEST_RD_ATOMIC -> value >= 0 && value <= maxReadAtomic;
        };
    }
}
