package io.hyperverbs.hca.engine;

import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.link.LinkSettings;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.roce.Wire;
import io.hyperverbs.hca.schedule.DomainShare;
import io.hyperverbs.hca.schedule.EngineCost;
import io.hyperverbs.hca.schedule.QpArbiter;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;

/**
 * The duty cycle of the HCA: commands, timers, doorbells, then turns of queue pairs. One thread;
 * allocates nothing but in commands. A Throwable is confined to the queue pair whose turn it was;
 * one that came from elsewhere fails the HCA: every context gets DEVICE_FATAL, every queue pair
 * goes to ERR, and from then on there is only flushing and destroying.
 */
public final class Engine {
    // Turns between two looks at everything else, unless a domain becomes active.
    private static final int TURNS = 8;
    private static final int TIMERS_PER_TURN = 8;

    // A look at a port where nothing has arrived takes as long as a small message of a guest
    // (docs/measurements/udp.md): while guests are served, it is taken so often.
    private static final long ARRIVAL_LOOK_NANOS = 4_000;
    // What a socket had no room for is offered again; nothing tells when there is room.
    private static final long SEND_AGAIN_NANOS = 50_000;

    private final HcaDevice device;
    private final Doorbells doorbells;
    private final CommandQueue commands;
    private final Wire wire;
    private final boolean hasWire;
    private final Wire.Confinement confinement = this::confine;
    private final IntConsumer woken = this::woken;
    private LongSupplier clock = () -> 0;
    private boolean hasClock;
    private long turnNanos;
    private long arrivalLookNanos;
    private boolean arrived;
    private volatile boolean failed;

    /**
     * @param wake ends the engine thread's sleep when a command waits; any thread
     */
    public Engine(HcaDevice device, Runnable wake) {
        this.device = device;
        this.doorbells = device.doorbells();
        this.commands = new CommandQueue(wake);
        this.wire = device.wire();
        this.hasWire = device.hasWire();
    }

    public CommandQueue commands() {
        return commands;
    }

    /**
     * Times timers by the clock itself instead of by the turn, and what rivals get by it instead of
     * by {@link EngineCost}; before the first turn.
     */
    public void useClock(LongSupplier clock) {
        this.clock = clock;
        hasClock = true;
        device.timers().useClock(clock);
        device.moderation().useClock(clock);
        wire.useClock(clock);
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
            return failHca();
        }
    }

    /** Whether a doorbell or a command waits: a turn would find something. Engine thread. */
    public boolean isWanted() {
        return doorbells.isRung() || commands.isWaiting();
    }

    /** Whether the HCA has failed. Any thread. */
    public boolean hasFailed() {
        return failed;
    }

    private int cycle(long nowNanos) {
        turnNanos = nowNanos;
        // Of a turn that ended by a Throwable: a command may end the entries.
        device.contexts().noteCounts();
        device.lockout().turn(nowNanos);
        int work = commands.runOne();
        work += expireTimers(nowNanos);
        work += device.cqEvents().endPeriods(nowNanos);
        // Who has work is in line before packets take time that may be theirs.
        int rung = doorbells.take();
        work += rung;
        boolean isDue = nowNanos - arrivalLookNanos >= ARRIVAL_LOOK_NANOS;
        boolean looks = hasWire && (isDue || (arrived && rung == 0));
        work += looks ? receive(nowNanos) : 0;
        device.arbiter().release(nowNanos);
        work += runQueuePairs(nowNanos);
        if (hasWire) {
            // A turn that finds nothing at all may end in a sleep.
            work += work == 0 && !looks ? receive(nowNanos) : 0;
            work += wire.flush(nowNanos) ? 1 : 0;
        }
        device.events().flush();
        device.eventPages().flush(woken);
        device.contexts().noteCounts();
        return work;
    }

    // A system call for a domain is its own time.
    private void woken(int uarNumber) {
        Uar uar = device.uars().byNumber(uarNumber);
        if (uar != null) {
            device.arbiter().chargeFixed(uar.share(), EngineCost.WAKE);
        }
    }

    private int receive(long nowNanos) {
        arrivalLookNanos = nowNanos;
        int packets = wire.receive(nowNanos, !device.arbiter().isIdle(), confinement);
        arrived = packets > 0;
        return packets;
    }

    // A second failure gets nobody any further: what it kept from being done waits for a later
    // turn.
    private int failHca() {
        device.contexts().count(Counter.ENGINE_FAULTS);
        if (failed) {
            return 0;
        }
        failed = true;
        device.uars().raiseInAll(device.raiser(), 0, AsyncEvent.Type.DEVICE_FATAL);
        for (int i = 0; i < device.qps().capacity(); i++) {
            Qp qp = device.qps().at(i);
            if (qp != null && qp.state() != QpState.RESET) {
                device.errors().fail(qp);
            }
        }
        return 1;
    }

    /** Nanoseconds until a timer or a delayed packet is due; for a thread about to sleep. Engine thread. */
    public long nanosToNextTimer(long nowNanos) {
        long nanos = Math.min(
                Math.min(
                        device.timers().nanosToNext(nowNanos),
                        device.moderation().nanosToNext(nowNanos)),
                device.arbiter().nanosToRelease(nowNanos));
        if (!hasWire) {
            return nanos;
        }
        nanos = wire.isSending() ? Math.min(nanos, SEND_AGAIN_NANOS) : nanos;
        return Math.min(nanos, wire.nanosToNext(nowNanos));
    }

    /** Sets what happens to packets on a link of a port that is on a wire. Engine thread, as a command. */
    public VerbsStatus impair(int port, int address, LinkSettings settings) {
        return wire.impair(port, address, settings, turnNanos, confinement);
    }

    private int expireTimers(long nowNanos) {
        int due = device.timers().advance(nowNanos, TIMERS_PER_TURN);
        for (int i = 0; i < due; i++) {
            Qp qp = device.qps().at(device.timers().due(i));
            if (qp != null) {
                device.arbiter().chargeFixed(qp.share(), EngineCost.TIMER);
                timeoutConfined(qp, nowNanos);
            }
        }
        return due;
    }

    private int runQueuePairs(long nowNanos) {
        QpArbiter arbiter = device.arbiter();
        QpTurn turn = device.turn();
        int turns = 0;
        while (turns < TURNS) {
            int index = arbiter.take(nowNanos);
            if (index == QpArbiter.NOBODY) {
                break;
            }
            Qp qp = device.qps().at(index);
            turn.begin();
            long spent = qp == null ? 0 : runConfined(qp, nowNanos);
            arbiter.charge(Math.max(spent, EngineCost.EMPTY_TURN), turn.moved(), turn.messages());
            turns++;
            if (!arbiter.isIdle() && doorbells.shouldYield()) {
                break;
            }
        }
        return turns;
    }

    // Errors too: a StackOverflowError or InternalError of one guest's making must not end the
    // HCA.
    private long runConfined(Qp qp, long nowNanos) {
        try {
            return hasClock && device.arbiter().hasRivals()
                    ? runMeasured(qp, nowNanos)
                    : device.turn().turn(qp, QpArbiter.SLICE_NANOS, nowNanos);
        } catch (Throwable t) {
            confine(qp);
            return EngineCost.REQUEST;
        }
    }

    private long runMeasured(Qp qp, long nowNanos) {
        long beginNanos = clock.getAsLong();
        long _ = device.turn().turn(qp, QpArbiter.SLICE_NANOS, nowNanos);
        return Math.min(clock.getAsLong() - beginNanos, EngineCost.LONGEST_TURN);
    }

    private void timeoutConfined(Qp qp, long nowNanos) {
        try {
            device.turn().timeout(qp, nowNanos);
        } catch (Throwable t) {
            confine(qp);
        }
    }

    private void confine(Qp qp) {
        int faults = qp.share().countFault();
        Uar uar = device.uars().byNumber(qp.plan().uar());
        if (uar != null) {
            uar.noteFaults(faults);
        }
        try {
            device.turn().fault(qp);
        } catch (Throwable t) {
            // Not even its completion could be written; it is in ERR, which is what matters.
            device.contexts().count(Counter.ENGINE_FAULTS);
        }
        if (faults == DomainShare.FAULTS) {
            quarantine(qp.share());
        }
    }

    // What comes again and again costs the others the time of a throwable each.
    private void quarantine(DomainShare share) {
        for (int i = 0; i < device.qps().capacity(); i++) {
            Qp qp = device.qps().at(i);
            if (qp != null && qp.share() == share && qp.state() != QpState.RESET) {
                device.errors().fail(qp, AsyncEvent.Type.QP_FATAL);
            }
        }
    }
}
