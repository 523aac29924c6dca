package io.hyperverbs.lab.walk.model;

import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Collects what must be seen of a step, and moves queue pairs to ERR. */
final class Outcomes {
    private final List<Expected> completions = new ArrayList<>();
    private final List<ExpectedEvent> events = new ArrayList<>();

    /** What came since the last call. */
    Effects take(List<ModelQp> qps) {
        List<ModelQp> silent = qps.stream().filter(qp -> qp.silent).toList();
        Effects effects = new Effects(completions, events, silent);
        for (ModelQp qp : silent) {
            qp.silent = false;
            // Whoever looks at the PSN sees the state.
            qp.known = qp.state;
        }
        completions.clear();
        events.clear();
        return effects;
    }

    /** Nothing that was begun is left in SQD. */
    void drained(ModelQp qp) {
        if (qp.value(QpAttribute.EN_SQD_ASYNC_NOTIFY) != 0) {
            event(qp, AsyncEvent.Type.SQ_DRAINED);
        }
    }

    void event(ModelQp qp, AsyncEvent.Type type) {
        events.add(new ExpectedEvent(qp.context(), qp.number, type));
    }

    /** The next receive is taken, and a limit passed by that is told. */
    private ModelReceive take(ModelQp qp) {
        ModelReceive receive = qp.receives.remove();
        if (qp.srq != null) {
            limit(qp.srq);
        }
        return receive;
    }

    /** Tells that fewer receives are left than the limit, if it is armed. */
    void limit(ModelSrq srq) {
        if (srq.passesLimit()) {
            events.add(new ExpectedEvent(srq.context(), srq.number, AsyncEvent.Type.SRQ_LIMIT_REACHED));
        }
    }

    /** The request at the head has succeeded. */
    void sent(ModelQp qp, WorkCompletion.Opcode opcode, int byteCount) {
        ModelSend send = qp.sends.remove();
        qp.silent = !send.isSignalled() && !qp.allSignalled;
        if (!qp.silent) {
            qp.freed = send.number + 1;
            completions.add(new Expected(
                    qp, false, send.wrId, EnumSet.of(VerbsStatus.SUCCESS), opcode, byteCount, false, 0, null, null));
        }
    }

    /** The receive at the head has taken a message; a datagram tells where it comes from. */
    void received(
            ModelQp qp,
            WorkCompletion.Opcode opcode,
            int byteCount,
            ModelSend send,
            @Nullable ModelWindowKey ended,
            @Nullable ModelQp source) {
        ModelReceive receive = take(qp);
        boolean hasImmediate = send.verb().hasImmediate();
        completions.add(new Expected(
                qp,
                true,
                receive.wrId(),
                EnumSet.of(VerbsStatus.SUCCESS),
                opcode,
                byteCount,
                hasImmediate,
                hasImmediate ? (int) send.request.first() : 0,
                ended,
                source));
    }

    /**
     * The request at the head fails, signalled or not, and takes its queue pair to ERR; without
     * acknowledgements only the send queue stops.
     */
    void failSend(ModelQp qp, Set<VerbsStatus> statuses) {
        ModelSend send = qp.sends.remove();
        qp.freed = send.number + 1;
        qp.silent = false;
        completions.add(Expected.failure(qp, false, send.wrId, statuses));
        if (qp.type == QpType.RC) {
            toErr(qp);
        } else {
            qp.state = QpState.SQE;
            flushSends(qp);
        }
    }

    /** The receive at the head fails and takes its queue pair to ERR; the sender hears nothing. */
    void failReceive(ModelQp qp, Set<VerbsStatus> statuses) {
        completions.add(Expected.failure(qp, true, take(qp).wrId(), statuses));
        toErr(qp);
    }

    void failReceive(ModelQp qp, VerbsStatus status) {
        failReceive(qp, EnumSet.of(status));
    }

    void failSend(ModelQp qp, VerbsStatus status) {
        failSend(qp, EnumSet.of(status));
    }

    /** The receive and the request at the heads fail, and take both queue pairs to ERR. */
    void failBoth(ModelQp qp, VerbsStatus here, ModelQp peer, VerbsStatus there) {
        failBoth(qp, EnumSet.of(here), peer, EnumSet.of(there));
    }

    void failBoth(ModelQp qp, Set<VerbsStatus> here, ModelQp peer, Set<VerbsStatus> there) {
        // Both heads are taken first: the two may be the same queue pair.
        completions.add(Expected.failure(peer, true, take(peer).wrId(), there));
        failSend(qp, here);
        toErr(peer);
    }

    /**
     * Everything posted completes with WR_FLUSH_ERR, in order; what is in a shared queue stays, and
     * an event says that this queue pair takes no more of it.
     */
    void toErr(ModelQp qp) {
        if (qp.srq != null && qp.state != QpState.ERR) {
            event(qp, AsyncEvent.Type.QP_LAST_WQE_REACHED);
        }
        qp.state = QpState.ERR;
        flush(qp);
    }

    /** What is posted in ERR, or to a send queue in SQE. */
    void flush(ModelQp qp) {
        flushSends(qp);
        if (qp.srq == null && qp.state == QpState.ERR) {
            for (ModelReceive receive : qp.receives) {
                completions.add(Expected.failure(qp, true, receive.wrId(), EnumSet.of(VerbsStatus.WR_FLUSH_ERR)));
            }
            qp.receives.clear();
        }
    }

    private void flushSends(ModelQp qp) {
        for (ModelSend send : qp.sends) {
            completions.add(Expected.failure(qp, false, send.wrId, EnumSet.of(VerbsStatus.WR_FLUSH_ERR)));
            qp.freed = send.number + 1;
            qp.silent = false;
        }
        qp.sends.clear();
    }
}
