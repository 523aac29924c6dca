package io.hyperverbs.hca.transport;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.cq.Cq;
import io.hyperverbs.hca.event.EventRaiser;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.qp.QpTable;
import io.hyperverbs.hca.schedule.EngineCost;
import io.hyperverbs.hca.schedule.QpArbiter;
import io.hyperverbs.hca.schedule.TimerWheel;
import io.hyperverbs.hca.srq.Srq;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.QpState;

/**
 * How queue pairs get into ERR. A queue pair in ERR is queued so that its requests are flushed on
 * its own turn: no recursion, however many fail together.
 */
public final class QpErrors {
    private final QpTable qps;
    private final QpArbiter arbiter;
    private final TimerWheel timers;
    private final EventRaiser events;
    private final ContextMemory contexts;

    public QpErrors(QpTable qps, QpArbiter arbiter, TimerWheel timers, EventRaiser events, ContextMemory contexts) {
        this.qps = qps;
        this.arbiter = arbiter;
        this.timers = timers;
        this.events = events;
        this.contexts = contexts;
    }

    /** Moves a queue pair to ERR, without an event. */
    public void fail(Qp qp) {
        if (qp.state() == QpState.ERR) {
            return;
        }
        qp.move(QpState.ERR);
        timers.cancel(qp.index());
        arbiter.add(qp.share(), qp.index());
    }

    /**
     * A send failed. UC and UD stop sending, in SQE, and go on receiving; any other queue pair goes
     * to ERR.
     */
    public void failSends(Qp qp) {
        if (qp.isAcknowledged()) {
            fail(qp);
        } else if (qp.state() == QpState.RTS || qp.state() == QpState.SQD) {
            qp.move(QpState.SQE);
            arbiter.add(qp.share(), qp.index());
        }
    }

    /** Moves a queue pair to ERR and says so. */
    public void fail(Qp qp, AsyncEvent.Type event) {
        fail(qp);
        events.raise(qp.events(), event);
    }

    /** The guest's producer index jumped: nothing beyond what was accepted is looked at. */
    public void ringOverrun(Qp qp) {
        qp.context().count(Counter.RING_OVERRUNS);
        fail(qp, AsyncEvent.Type.QP_FATAL);
    }

    /** A queue broke: everyone attached to it goes to ERR. */
    public void overrun(Cq cq) {
        contexts.count(Counter.CQ_OVERRUNS);
        events.raise(cq.events(), AsyncEvent.Type.CQ_ERR);
        boolean billed = false;
        for (int i = 0; i < qps.capacity(); i++) {
            Qp qp = qps.at(i);
            if (qp != null && (qp.sendCq() == cq || qp.receiveCq() == cq) && qp.state() != QpState.RESET) {
                billed = billed || bill(qp);
                fail(qp, AsyncEvent.Type.QP_FATAL);
            }
        }
    }

    /** A shared receive queue cannot be trusted any more: everyone attached to it goes to ERR. */
    public void srqFailed(Srq srq) {
        if (srq.fail()) {
            contexts.count(Counter.RING_OVERRUNS);
            events.raise(srq.events(), AsyncEvent.Type.SRQ_ERR);
        }
        boolean billed = false;
        for (int i = 0; i < qps.capacity(); i++) {
            Qp qp = qps.at(i);
            if (qp != null && qp.plan().srq() == srq && qp.state() != QpState.RESET) {
                billed = billed || bill(qp);
                fail(qp);
            }
        }
    }

    // The queue is its domain's, and so is the look at everybody.
    private boolean bill(Qp qp) {
        arbiter.chargeFixed(qp.share(), EngineCost.SCAN);
        return true;
    }
}
