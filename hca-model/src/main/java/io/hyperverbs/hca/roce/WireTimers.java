package io.hyperverbs.hca.roce;

import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.qp.SendQueue;
import io.hyperverbs.hca.rc.RnrDelay;
import io.hyperverbs.hca.schedule.TimerWheel;

/**
 * The ack timers of queue pairs on a wire. A queue pair has one timer on the wheel, which its RNR delay or
 * its pause may have taken: the deadline of the ack stands in {@link WireQp}, and is looked at when the timer fires. So
 * an acknowledgement moves a number and not a timer. Engine thread only.
 */
final class WireTimers {
    private final TimerWheel wheel;

    WireTimers(TimerWheel wheel) {
        this.wheel = wheel;
    }

    /** A packet was sent that has to be acknowledged. */
    void sent(Qp qp, WireQp wire, long nowNanos) {
        if (!wire.ackArmed && qp.timeoutCode() != 0) {
            acknowledged(qp, wire, nowNanos);
            // One that was started after a wait in vain may be due later than this.
            if (!wheel.isDueBy(qp.index(), wire.ackDeadlineNanos)) {
                wheel.start(qp.index(), nowNanos, wire.ackDeadlineNanos - nowNanos);
            }
        }
    }

    /** Whether the queue pair has to wait before it sends, as its rate is limited; it does then. */
    boolean holdsBack(Qp qp, WireQp wire, long nowNanos) {
        return holdsBack(qp, Math.max(wire.rate.waitNanos(nowNanos), wire.pace.waitNanos(nowNanos)), nowNanos);
    }

    /** The same for so many nanoseconds; 0: it need not wait. */
    boolean holdsBack(Qp qp, long waitNanos, long nowNanos) {
        if (waitNanos == 0) {
            return false;
        }
        qp.sends().hold(SendQueue.Wait.RATE);
        wheel.start(qp.index(), nowNanos, waitNanos);
        return true;
    }

    /** Something was acknowledged: what is left has the whole time again. */
    void acknowledged(Qp qp, WireQp wire, long nowNanos) {
        wire.ackArmed = qp.timeoutCode() != 0;
        wire.ackDeadlineNanos =
                nowNanos + RnrDelay.ackTimeoutNanos(qp.timeoutCode(), qp.sends().ackTimeouts());
    }

    /** Nothing waits for an acknowledgement any more. */
    void disarm(WireQp wire) {
        wire.ackArmed = false;
    }

    /**
     * The timer of a queue pair fired.
     *
     * @return whether an acknowledgement is overdue
     */
    boolean fired(Qp qp, WireQp wire, long nowNanos) {
        SendQueue.Wait wait = qp.sends().waitsFor();
        if (wait != SendQueue.Wait.WINDOW) {
            qp.sends().resume();
        }
        if (!wire.ackArmed) {
            return false;
        }
        long left = wire.ackDeadlineNanos - nowNanos;
        if (left > 0) {
            wheel.start(qp.index(), nowNanos, left);
            return false;
        }
        wire.ackArmed = false;
        return true;
    }
}
