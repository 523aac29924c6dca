package io.hyperverbs.hca.engine;

import io.hyperverbs.hca.event.EventRaiser;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.qp.ReceiveQueue;
import io.hyperverbs.hca.qp.SendQueue;
import io.hyperverbs.hca.rc.Requester;
import io.hyperverbs.hca.roce.Wire;
import io.hyperverbs.hca.schedule.EngineCost;
import io.hyperverbs.hca.schedule.QpArbiter;
import io.hyperverbs.hca.schedule.TimerWheel;
import io.hyperverbs.hca.tpt.CompletionError;
import io.hyperverbs.hca.transport.Completer;
import io.hyperverbs.hca.transport.Preemption;
import io.hyperverbs.hca.transport.QpErrors;
import io.hyperverbs.hca.transport.SrqReceives;
import io.hyperverbs.hca.transport.UnacknowledgedRequester;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VendorError;
import io.hyperverbs.verbs.VerbsStatus;

/**
 * A turn of one queue pair: requests while it is in RTS, the rest of one in SQD, flush of sends in
 * SQE, of all in ERR. Engine thread only.
 */
public final class QpTurn {
    private final Requester requester;
    private final UnacknowledgedRequester uc;
    private final UnacknowledgedRequester ud;
    private final Completer completer;
    private final SrqReceives shared;
    private final QpErrors errors;
    private final EventRaiser events;
    private final QpArbiter arbiter;
    private final TimerWheel timers;
    private final Wire wire;
    private final Preemption preemption;
    private final CompletionError error = new CompletionError();
    private long moved;
    private long messages;

    public QpTurn(
            Requester requester,
            UnacknowledgedRequester uc,
            UnacknowledgedRequester ud,
            Completer completer,
            SrqReceives shared,
            QpErrors errors,
            EventRaiser events,
            QpArbiter arbiter,
            TimerWheel timers,
            Wire wire,
            Preemption preemption) {
        this.requester = requester;
        this.uc = uc;
        this.ud = ud;
        this.completer = completer;
        this.shared = shared;
        this.errors = errors;
        this.events = events;
        this.arbiter = arbiter;
        this.timers = timers;
        this.wire = wire;
        this.preemption = preemption;
    }

    /** Counts {@link #moved} and {@link #messages} from 0. */
    void begin() {
        moved = 0;
        messages = 0;
    }

    /** Bytes of messages moved since. */
    long moved() {
        return moved;
    }

    /** Requests begun since. */
    long messages() {
        return messages;
    }

    /**
     * Gives a queue pair its turn and queues it again if it has more to do.
     *
     * @param budget nanoseconds that it may spend, by {@link EngineCost}; it may overdraw by one step,
     *     and ends after a step if there are newcomers
     * @return what it spent
     */
    public long turn(Qp qp, long budget, long nowNanos) {
        long spent = wire.owes(qp) ? EngineCost.request(wire.respond(qp)) : 0;
        spent += switch (qp.state()) {
            case RTS -> run(qp, budget, nowNanos);
            case SQD -> drain(qp, budget, nowNanos);
            case SQE -> flushSends(qp, budget);
            case ERR -> flush(qp, budget, nowNanos);
            case RESET, INIT, RTR -> 0;
        };
        if (hasMore(qp)) {
            arbiter.add(qp.share(), qp.index());
        }
        return spent;
    }

    /** The queue pair's timer ran out. */
    public void timeout(Qp qp, long nowNanos) {
        if (qp.state() != QpState.ERR && !wire.timeout(qp, nowNanos)) {
            requester.timeout(qp);
        }
        arbiter.add(qp.share(), qp.index());
    }

    /** A throwable came out of the queue pair's turn: it goes to ERR, and nobody else suffers. */
    public void fault(Qp qp) {
        qp.context().count(Counter.ENGINE_FAULTS);
        if (qp.state() != QpState.ERR && qp.sends().isOutstanding()) {
            qp.sends().selectOldest();
            error.set(VendorError.ENGINE_FAULT);
            completer.sendFailed(qp, VerbsStatus.FATAL_ERR, error);
        }
        errors.fail(qp, AsyncEvent.Type.QP_FATAL);
    }

    private long run(Qp qp, long budget, long nowNanos) {
        SendQueue sends = qp.sends();
        if (!sends.readProducerIndex()) {
            errors.ringOverrun(qp);
            return EngineCost.REQUEST;
        }
        long spent = 0;
        // A look after each step: with one after two, 8 B writes beside a flood of them lost a fifth
        // of their share ({@code hv bench fairness --attacker tiny --victim write}).
        while (qp.state() == QpState.RTS
                && sends.isReady()
                && (spent == 0 || (spent < budget && !preemption.shouldYield()))) {
            spent += step(qp, nowNanos);
        }
        return spent;
    }

    private long step(Qp qp, long nowNanos) {
        messages += qp.sends().isBusy() ? 0 : 1;
        long bytes = qp.isAcknowledged() ? requester.step(qp, nowNanos) : unacknowledged(qp, nowNanos);
        moved += bytes;
        return EngineCost.request(bytes);
    }

    private long unacknowledged(Qp qp, long nowNanos) {
        return (qp.type() == QpType.UC ? uc : ud).step(qp, nowNanos);
    }

    private long drain(Qp qp, long budget, long nowNanos) {
        SendQueue sends = qp.sends();
        long spent = 0;
        while (spent < budget
                && qp.state() == QpState.SQD
                && sends.isBusy()
                && sends.waitsFor() == SendQueue.Wait.NOTHING) {
            spent += step(qp, nowNanos);
        }
        if (!sends.isOutstanding() && qp.reportDrain()) {
            events.raise(qp.events(), AsyncEvent.Type.SQ_DRAINED);
        }
        return spent;
    }

    private long flushSends(Qp qp, long budget) {
        SendQueue sends = qp.sends();
        if (!sends.readProducerIndex()) {
            errors.ringOverrun(qp);
            return EngineCost.REQUEST;
        }
        long spent = 0;
        while (spent < budget && !sends.isEmpty()) {
            completer.flushSend(qp);
            spent += EngineCost.REQUEST;
        }
        return spent;
    }

    private long flush(Qp qp, long budget, long nowNanos) {
        SendQueue sends = qp.sends();
        ReceiveQueue receives = qp.receives();
        if (receives.shared() != null || qp.responderTransport() == Qp.XRC) {
            shared.flush(qp);
        }
        // A jump of either index shows nothing new; what was accepted before is flushed.
        boolean _ = sends.readProducerIndex();
        ReceiveQueue.Found _ = receives.readProducerIndex();
        long spent = 0;
        boolean found = false;
        while (spent < budget && (!sends.isEmpty() || !receives.isEmpty())) {
            if (!sends.isEmpty()) {
                completer.flushSend(qp);
            } else {
                completer.flushReceive(qp);
            }
            found = true;
            spent += EngineCost.REQUEST;
        }
        if (sends.isEmpty() && receives.isEmpty() && qp.plan().geometry().receiveEntries() > 0) {
            timers.start(qp.index(), nowNanos, receives.nextLookNanos(found));
        }
        return spent;
    }

    private static boolean hasMore(Qp qp) {
        SendQueue sends = qp.sends();
        return switch (qp.state()) {
            case RTS -> sends.isReady();
            case SQD -> sends.isBusy() && sends.waitsFor() == SendQueue.Wait.NOTHING;
            case SQE -> !sends.isEmpty();
            case ERR -> !sends.isEmpty() || !qp.receives().isEmpty();
            case RESET, INIT, RTR -> false;
        };
    }
}
