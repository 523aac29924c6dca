package io.hyperverbs.lab.walk.agent;

import io.hyperverbs.lab.walk.step.Slots;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QueuePair;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.WorkCompletion;
import io.hyperverbs.verbs.wait.WaitingPolicy;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Waits for what a step must bring, and tells all that comes, one line each. */
final class EventWatch {
    private static final int BATCH = 16;
    private static final int PSN_MASK = 0xff_ffff;

    private final Holdings held;
    private final Consumer<String> told;
    private final Clockwork clockwork;
    private final WorkCompletion[] batch = new WorkCompletion[BATCH];
    private Duration patience = Duration.ofSeconds(5);

    EventWatch(Holdings held, Consumer<String> told, Clockwork clockwork) {
        this.held = held;
        this.told = told;
        this.clockwork = clockwork;
        for (int i = 0; i < batch.length; i++) {
            batch[i] = new WorkCompletion();
        }
    }

    void patience(Duration changed) {
        patience = changed;
    }

    /** Whether all of it came in time. */
    boolean await(Waits waits) throws VerbsException {
        Deadline deadline = new Deadline(patience);
        for (Map.Entry<Integer, Integer> one : waits.completions().entrySet()) {
            if (!completions(one.getKey(), one.getValue(), deadline)) {
                return false;
            }
        }
        for (Map.Entry<Integer, Integer> one : waits.psns().entrySet()) {
            if (!psn(one.getKey(), one.getValue(), deadline)) {
                return false;
            }
        }
        for (Map.Entry<Integer, Integer> one : waits.events().entrySet()) {
            if (!events(one.getKey(), one.getValue(), deadline)) {
                return false;
            }
        }
        return true;
    }

    /** Tells what is there and was not waited for. */
    void sweep() throws VerbsException {
        clockwork.turn();
        for (int slot = 0; slot < Slots.CQS; slot++) {
            sweep(slot);
        }
        for (int slot = 0; slot < Slots.CONTEXTS; slot++) {
            Context context = held.contexts[slot];
            while (context != null && event(slot, context, Duration.ZERO)) {}
        }
    }

    /** The same for one completion queue. */
    void sweep(int slot) {
        CompletionQueue cq = held.cq(slot);
        while (cq != null && poll(slot, cq) > 0) {}
    }

    private boolean completions(int slot, int count, Deadline deadline) {
        CompletionQueue cq = Holdings.there(held.cq(slot), "completion queue");
        WaitingPolicy waiting = WaitingPolicy.yielding();
        int found = 0;
        while (found < count) {
            int polled = poll(slot, cq);
            found += polled;
            if (polled == 0) {
                waiting.idle();
                clockwork.turn();
                if (deadline.isOver()) {
                    told.accept("late " + (count - found) + " completions of CQ " + slot);
                    return false;
                }
            }
        }
        return true;
    }

    private int poll(int slot, CompletionQueue cq) {
        int polled = cq.poll(batch);
        for (int i = 0; i < polled; i++) {
            WorkCompletion one = batch[i];
            told.accept("wc "
                    + slot
                    + " "
                    + one.wrId()
                    + " "
                    + one.status()
                    + " "
                    + one.opcode()
                    + " "
                    + one.byteCount()
                    + " "
                    + one.qpn()
                    + " "
                    + (one.hasImmediate() ? Integer.toString(one.immediate()) : "-")
                    + " "
                    + (one.hasInvalidatedKey() ? Integer.toString(one.invalidatedKey()) : "-")
                    + " "
                    + one.sourceQpn());
        }
        return polled;
    }

    private boolean psn(int slot, int wanted, Deadline deadline) throws VerbsException {
        QueuePair qp = held.qp(slot);
        long found = qp.query().get(QpAttribute.SQ_PSN);
        // Requests behind that one may be on their way.
        while ((found - wanted & PSN_MASK) > PSN_MASK / 2) {
            if (deadline.isOver()) {
                told.accept("late PSN of QP " + slot + " is " + found + ", must get to " + wanted);
                return false;
            }
            Thread.yield();
            clockwork.turn();
            found = qp.query().get(QpAttribute.SQ_PSN);
        }
        return true;
    }

    private boolean events(int slot, int count, Deadline deadline) throws VerbsException {
        Context context = Holdings.there(held.contexts[slot], "context");
        int found = 0;
        while (found < count) {
            clockwork.turn();
            if (event(slot, context, clockwork.eventWait())) {
                found++;
            } else if (deadline.isOver()) {
                told.accept("late " + (count - found) + " events of context " + slot);
                return false;
            }
        }
        return true;
    }

    /** Over when the time is, and many looks besides: the machine may have been busy elsewhere. */
    private static final class Deadline {
        private static final int LOOKS = 1000;

        private final long endNanos;
        private int looks;

        Deadline(Duration patience) {
            endNanos = System.nanoTime() + patience.toNanos();
        }

        boolean isOver() {
            return ++looks > LOOKS && System.nanoTime() - endNanos > 0;
        }
    }

    private boolean event(int slot, Context context, Duration wait) throws VerbsException {
        Optional<AsyncEvent> event = context.awaitAsyncEvent(wait);
        event.ifPresent(one -> told.accept("event " + slot + " " + one.type() + " " + one.number()));
        return event.isPresent();
    }
}
