package io.hyperverbs.hca.engine;

import io.hyperverbs.hca.cq.Cq;
import io.hyperverbs.hca.cq.ModerationTimers;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.UarLayout;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.schedule.QpArbiter;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.QpState;

import java.lang.foreign.MemorySegment;
import java.util.function.LongSupplier;

/**
 * The duty cycle of the card: commands, timers, doorbells, then turns of queue pairs. One thread;
 * allocates nothing but in commands. A Throwable is confined to the queue pair whose turn it was;
 * one that came from elsewhere fails the card: every context gets DEVICE_FATAL, every queue pair
 * goes to ERR, and from then on there is only flushing and destroying.
 */
public final class Engine {
    // Turns between two looks at the doorbells: bounds what a busy neighbour adds to a latency.
    private static final int TURNS = 8;
    // What a turn without work costs, so that ringing alone is not free.
    private static final long EMPTY_TURN_COST = 64;

    private final Card card;
    private final MemorySegment memory;
    private final CommandQueue commands;
    private volatile boolean failed;

    /**
     * @param wake ends the engine thread's sleep when a command waits; any thread
     */
    public Engine(Card card, Runnable wake) {
        this.card = card;
        this.memory = card.contexts().memory();
        this.commands = new CommandQueue(wake);
    }

    public CommandQueue commands() {
        return commands;
    }

    /** Times timers by the clock itself instead of by the turn; before the first turn. */
    public void useClock(LongSupplier clock) {
        card.timers().useClock(clock);
        card.moderation().useClock(clock);
    }

    /**
     * One turn of the duty cycle. Engine thread.
     *
     * @param nowNanos a monotonic clock, the same one at each call
     * @return how much was done; 0 if there was nothing to do
     */
    public int doWork(long nowNanos) {
        try {
            return cycle(nowNanos);
        } catch (Throwable t) {
            return failCard();
        }
    }

    /** Whether the card has failed. Any thread. */
    public boolean hasFailed() {
        return failed;
    }

    private int cycle(long nowNanos) {
        int work = commands.drain();
        work += expireTimers(nowNanos);
        work += endPeriods(nowNanos);
        work += takeDoorbells();
        work += runQueuePairs(nowNanos);
        card.events().flush();
        return work;
    }

    // A second failure gets nobody any further: what it kept from being done waits for a later
    // turn.
    private int failCard() {
        card.contexts().count(Counter.ENGINE_FAULTS);
        if (failed) {
            return 0;
        }
        failed = true;
        card.uars().raiseInAll(card.errors(), 0, AsyncEvent.Type.DEVICE_FATAL);
        for (int i = 0; i < card.qps().capacity(); i++) {
            Qp qp = card.qps().at(i);
            if (qp != null && qp.state() != QpState.RESET) {
                card.errors().fail(qp);
            }
        }
        return 1;
    }

    /** Nanoseconds until a timer is due; for a thread about to sleep. Engine thread. */
    public long nanosToNextTimer(long nowNanos) {
        return Math.min(
                card.timers().nanosToNext(nowNanos), card.moderation().nanosToNext(nowNanos));
    }

    private int expireTimers(long nowNanos) {
        int due = card.timers().advance(nowNanos);
        for (int i = 0; i < due; i++) {
            Qp qp = card.qps().at(card.timers().due(i));
            if (qp != null) {
                timeoutConfined(qp);
            }
        }
        return due;
    }

    private int endPeriods(long nowNanos) {
        ModerationTimers moderation = card.moderation();
        int due = moderation.advance(nowNanos);
        for (int i = 0; i < due; i++) {
            Cq cq = moderation.due(i);
            if (cq != null) {
                card.errors().completionEvent(cq);
            }
        }
        return due;
    }

    private int takeDoorbells() {
        UarTable uars = card.uars();
        int work = 0;
        for (int i = 0; i < uars.openCount(); i++) {
            Uar uar = uars.open(i);
            if (uar != null && UarLayout.summaryAcquire(memory, uar.page()) != 0) {
                work += takePage(uar);
            }
        }
        return work;
    }

    private int takePage(Uar uar) {
        int work = 0;
        long words = UarLayout.takeSummary(memory, uar.page());
        for (; words != 0; words &= words - 1) {
            int word = Long.numberOfTrailingZeros(words);
            long bits = UarLayout.takeWord(memory, uar.page(), word);
            for (; bits != 0; bits &= bits - 1) {
                ring(uar, uar.object(word * 64 + Long.numberOfTrailingZeros(bits)));
                work++;
            }
        }
        return work;
    }

    private void ring(Uar uar, int object) {
        if (object > 0) {
            card.arbiter().add(uar.share(), object - 1);
            return;
        }
        Cq cq = object < 0 ? card.cqs().byNumber(-object) : null;
        if (cq == null) {
            card.contexts().count(Counter.UNKNOWN_DOORBELLS);
        } else {
            announce(card, cq, cq.takeArms());
        }
    }

    /** Sees to the event that a queue owes, now or after its period. */
    public static void announce(Card card, Cq cq, Cq.Written owed) {
        switch (owed) {
            case EVENT -> card.errors().completionEvent(cq);
            case LATER -> card.moderation().start(cq);
            case DONE, OVERRUN, BROKEN -> {}
        }
    }

    private int runQueuePairs(long nowNanos) {
        QpArbiter arbiter = card.arbiter();
        int turns = 0;
        while (turns < TURNS) {
            int index = arbiter.take();
            if (index == QpArbiter.NOBODY) {
                break;
            }
            Qp qp = card.qps().at(index);
            long spent = qp == null ? 0 : runConfined(qp, arbiter.budget(), nowNanos);
            arbiter.charge(Math.max(spent, EMPTY_TURN_COST));
            turns++;
        }
        return turns;
    }

    // Errors too: a StackOverflowError or InternalError of one guest's making must not end the
    // card.
    private long runConfined(Qp qp, long budget, long nowNanos) {
        try {
            return card.turn().turn(qp, budget, nowNanos);
        } catch (Throwable t) {
            confine(qp);
            return QpArbiter.REQUEST_COST;
        }
    }

    private void timeoutConfined(Qp qp) {
        try {
            card.turn().timeout(qp);
        } catch (Throwable t) {
            confine(qp);
        }
    }

    private void confine(Qp qp) {
        int faults = qp.share().countFault();
        Uar uar = card.uars().byNumber(qp.plan().uar());
        if (uar != null) {
            uar.noteFaults(faults);
        }
        try {
            card.turn().fault(qp);
        } catch (Throwable t) {
            // Not even its completion could be written; it is in ERR, which is what matters.
            card.contexts().count(Counter.ENGINE_FAULTS);
        }
    }
}
