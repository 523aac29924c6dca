package io.hyperverbs.lab.walk.choose;

import io.hyperverbs.lab.walk.model.Model;
import io.hyperverbs.lab.walk.model.ModelQp;
import io.hyperverbs.lab.walk.step.Slots;
import io.hyperverbs.lab.walk.step.Step;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** {@code ibv_modify_qp}: the way to RTS, other legal moves, and mistakes of every kind. */
final class Moves {
    private static final int ALL_RIGHTS = 15;
    /** Of the retry counters: never gives up. */
    static final int FOR_EVER = 7;

    /** An RQ_PSN that is not the start of any peer. */
    static final long WRONG_PSN = 5;

    private static final long[] BAD_VALUES = {-1, 8, 32, 77, 300, 1L << 24, 1L << 32, Long.MIN_VALUE, Long.MAX_VALUE};

    /** What a queue pair that is not acknowledged has nothing of. */
    private static final Set<QpAttribute> ACKNOWLEDGED = EnumSet.of(
            QpAttribute.MAX_DEST_RD_ATOMIC,
            QpAttribute.MIN_RNR_TIMER,
            QpAttribute.TIMEOUT,
            QpAttribute.RETRY_CNT,
            QpAttribute.RNR_RETRY,
            QpAttribute.MAX_QP_RD_ATOMIC);

    private static final Set<QpAttribute> CONNECTED = EnumSet.of(
            QpAttribute.ACCESS_FLAGS, QpAttribute.AV, QpAttribute.PATH_MTU, QpAttribute.DEST_QPN, QpAttribute.RQ_PSN);

    private final Dice dice;

    Moves(Dice dice) {
        this.dice = dice;
    }

    /** The next move towards RTS; empty if there is nobody to connect to. */
    Optional<Step> onwards(Model model, int slot) {
        ModelQp qp = Posts.there(model.objects().qp(slot));
        QpState to = switch (qp.state()) {
            case RESET -> QpState.INIT;
            case INIT -> QpState.RTR;
            case RTR, RTS, SQD -> QpState.RTS;
            case SQE -> dice.chance(75) ? QpState.RTS : QpState.RESET;
            case ERR -> QpState.RESET;
        };
        Map<QpAttribute, Long> values = attributes(model, slot, qp.state(), to);
        return values.getOrDefault(QpAttribute.DEST_QPN, 0L) < 0
                ? Optional.empty()
                : Optional.of(new Step.Modify(slot, values));
    }

    /** What may help a queue pair that nobody answers: to wait, or to begin anew. */
    Step again(Model model, int slot) {
        ModelQp qp = Posts.there(model.objects().qp(slot));
        if (qp.state() == QpState.RTS && dice.chance(70)) {
            return new Step.Query(slot);
        }
        return new Step.Modify(slot, attributes(model, slot, qp.state(), QpState.RESET));
    }

    /** A legal move to somewhere else, or something wrong. */
    Step odd(Model model, int slot) {
        QpState state = Posts.there(model.objects().qp(slot)).state();
        Map<QpAttribute, Long> values = switch (dice.below(6)) {
            case 0 -> attributes(model, slot, state, QpState.SQD);
            case 1 -> attributes(model, slot, state, QpState.ERR);
            case 2 -> attributes(model, slot, state, QpState.RESET);
            default -> {
                QpState to = QpState.of(dice.below(QpState.values().length));
                yield attributes(model, slot, state, to);
            }
        };
        if (dice.chance(50)) {
            spoil(values);
        } else if (dice.chance(20)) {
            values.put(QpAttribute.CUR_STATE, (long) state.code());
        }
        return new Step.Modify(slot, values);
    }

    private void spoil(Map<QpAttribute, Long> values) {
        QpAttribute[] all = QpAttribute.values();
        switch (dice.below(4)) {
            case 0 -> values.remove(all[dice.below(all.length)]);
            case 1 -> values.put(QpAttribute.STATE, (long) dice.between(-1, 8));
            case 2 -> values.put(QpAttribute.CUR_STATE, (long) dice.below(7));
            default -> {
                QpAttribute one = all[dice.below(all.length)];
                long value = BAD_VALUES[dice.below(BAD_VALUES.length)];
                // A timeout that is legal and takes for ever would hold up the walk.
                boolean slow = value == 8 && (one == QpAttribute.TIMEOUT || one == QpAttribute.MIN_RNR_TIMER);
                values.put(one, slow ? 32 : value);
            }
        }
    }

    /** A full set for a move, legal if there is such a move. */
    private Map<QpAttribute, Long> attributes(Model model, int slot, QpState from, QpState to) {
        Map<QpAttribute, Long> values = new EnumMap<>(QpAttribute.class);
        values.put(QpAttribute.STATE, (long) to.code());
        switch (to) {
            case INIT -> {
                values.put(QpAttribute.PKEY_INDEX, 0L);
                values.put(QpAttribute.PORT, 1L);
                values.put(QpAttribute.ACCESS_FLAGS, rights());
            }
            case RTR -> {
                values.put(QpAttribute.AV, dice.chance(98) ? 0L : 77L);
                values.put(QpAttribute.PATH_MTU, 256L << dice.below(4));
                boolean alone = Posts.there(model.objects().qp(slot)).type() == QpType.UD;
                values.put(QpAttribute.DEST_QPN, alone ? 0L : peer(model, slot));
                values.put(QpAttribute.RQ_PSN, dice.chance(98) ? 0L : WRONG_PSN);
                values.put(QpAttribute.MAX_DEST_RD_ATOMIC, depth());
                values.put(QpAttribute.MIN_RNR_TIMER, (long) dice.between(1, 3));
            }
            case RTS -> {
                if (from == QpState.RTR || dice.chance(10)) {
                    values.put(QpAttribute.SQ_PSN, 0L);
                    values.put(QpAttribute.TIMEOUT, (long) dice.between(1, 3));
                    values.put(QpAttribute.RETRY_CNT, retries(10));
                    values.put(QpAttribute.RNR_RETRY, retries(60));
                    values.put(QpAttribute.MAX_QP_RD_ATOMIC, depth());
                }
                if (dice.chance(10)) {
                    values.put(QpAttribute.ACCESS_FLAGS, rights());
                }
            }
            case SQD -> {
                if (from == QpState.SQD) {
                    values.put(QpAttribute.RETRY_CNT, retries(10));
                    values.put(QpAttribute.ACCESS_FLAGS, rights());
                } else if (dice.chance(50)) {
                    values.put(QpAttribute.EN_SQD_ASYNC_NOTIFY, 1L);
                }
            }
            case RESET, ERR, SQE -> {}
        }
        QpType type = Posts.there(model.objects().qp(slot)).type();
        if (type != QpType.RC && dice.chance(97)) {
            values.keySet().removeAll(ACKNOWLEDGED);
        }
        if (type == QpType.UD && dice.chance(97)) {
            values.keySet().removeAll(CONNECTED);
            if (to == QpState.INIT || (values.size() > 1 && dice.chance(10))) {
                values.put(QpAttribute.QKEY, dice.chance(85) ? 1L : 2L);
            }
        }
        return values;
    }

    private long rights() {
        return dice.chance(85) ? ALL_RIGHTS : dice.below(32);
    }

    private long depth() {
        return dice.chance(97) ? dice.between(1, 4) : 0;
    }

    private long retries(int percentForEver) {
        return dice.chance(percentForEver) ? FOR_EVER : dice.between(0, 2);
    }

    /**
     * Whoever calls; else somebody whom nobody calls; now and then anybody; -1 if there is none.
     */
    private int peer(Model model, int slot) {
        if (dice.chance(3)) {
            return dice.chance(50) ? slot : dice.below(Slots.QPS);
        }
        List<Integer> callers = new ArrayList<>();
        List<Integer> lonely = new ArrayList<>();
        for (int other = 0; other < Slots.QPS; other++) {
            ModelQp qp = model.objects().qp(other);
            QpType type = Posts.there(model.objects().qp(slot)).type();
            if (other != slot && qp != null && qp.type() == type) {
                if (model.objects().calls(other, slot)) {
                    callers.add(other);
                } else if (qp.state().code() < QpState.RTR.code() && !isCalled(model, other)) {
                    lonely.add(other);
                }
            }
        }
        return dice.of(callers).or(() -> dice.of(lonely)).orElse(-1);
    }

    private static boolean isCalled(Model model, int slot) {
        for (int other = 0; other < Slots.QPS; other++) {
            if (model.objects().calls(other, slot)) {
                return true;
            }
        }
        return false;
    }
}
