package io.hyperverbs.hca;

import io.hyperverbs.hca.engine.Engine;
import io.hyperverbs.hca.layout.StatusPageLayout;
import io.hyperverbs.verbs.wait.WaitingPolicy;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * The engine thread: turns, then the three steps of waiting, then sleep until a guest's doorbell, a
 * command or the next timer. {@link #start} and {@link #close} from any thread, once each.
 */
public final class EngineRunner implements AutoCloseable {
    private static final int LOOKS = 4;
    private static final long LOOK_NANOS = 1_000_000;

    private final Hca hca;
    private final Engine engine;
    private final DoorbellSleep sleep;
    private final WaitingPolicy waiting;
    private final Runnable settle;
    private final Thread thread;
    private volatile boolean running = true;
    private int armNumber;

    /** A runner with the usual waiting policy: 20 spins, 100 us of yielding. */
    public EngineRunner(Hca hca) {
        this(hca, WaitingPolicy.hybrid(), () -> {});
    }

    /**
     * @param settle what the engine thread does first, such as to choose its core
     */
    public EngineRunner(Hca hca, WaitingPolicy waiting, Runnable settle) {
        this.hca = hca;
        this.engine = hca.engine();
        this.sleep = hca.sleep();
        this.waiting = waiting;
        this.settle = settle;
        this.thread = Thread.ofPlatform().name("hca-engine").daemon(true).unstarted(this::run);
    }

    public EngineRunner start() {
        engine.useClock(System::nanoTime);
        engine.commands().attach(thread);
        thread.start();
        return this;
    }

    /** The engine thread, for those who count its allocation or its CPU time. */
    public Thread thread() {
        return thread;
    }

    /** Ends the thread after its current turn and waits for that. Commands run inline again. */
    @Override
    public void close() {
        running = false;
        sleep.wake();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            settle.run();
            boolean idle = false;
            while (running) {
                idle = turnConfined(idle);
            }
        } finally {
            engine.commands().detach();
        }
    }

    // The engine confines what it can; not even what is left may end the only thread that copies.
    private boolean turnConfined(boolean idle) {
        try {
            return turn(idle);
        } catch (RuntimeException | Error e) {
            LockSupport.parkNanos(this, LOOK_NANOS);
            return true;
        }
    }

    private boolean turn(boolean idle) {
        // Before the looks: what they find waits for no clock.
        long nowNanos = System.nanoTime();
        if (idle) {
            look();
        }
        if (engine.doWork(nowNanos) > 0) {
            waiting.reset();
            return false;
        }
        if (waiting.idle()) {
            armAndSleep();
            waiting.reset();
        }
        return true;
    }

    // A look takes a tenth of a turn that finds nothing, so what comes is seen sooner.
    private void look() {
        for (int i = 0; i < LOOKS && !engine.isWanted(); i++) {
            Thread.onSpinWait();
        }
    }

    // Doorbell.ring is the other half: it rings, full fence, reads the arm number, wakes.
    private void armAndSleep() {
        StatusPageLayout.armVolatile(hca.memory(), hca.statusPage(), ++armNumber);
        VarHandle.fullFence();
        long nowNanos = System.nanoTime();
        if (engine.doWork(nowNanos) == 0 && running) {
            sleepConfined(engine.nanosToNextTimer(nowNanos));
        }
    }

    // A kernel that cannot wait for doorbells must not be the end of the HCA: it looks itself.
    private void sleepConfined(long maxNanos) {
        try {
            sleep.sleep(maxNanos);
        } catch (RuntimeException | Error e) {
            LockSupport.parkNanos(this, Math.min(maxNanos, LOOK_NANOS));
        }
    }
}
