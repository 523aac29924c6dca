package io.hyperverbs.hca;

import io.hyperverbs.hca.engine.Engine;
import io.hyperverbs.hca.layout.StatusPageLayout;
import io.hyperverbs.verbs.wait.WaitingPolicy;

import java.lang.invoke.VarHandle;

/**
 * The engine thread: turns, then the three steps of waiting, then sleep until a guest's doorbell, a
 * command or the next timer. {@link #start} and {@link #close} from any thread, once each.
 */
public final class EngineRunner implements AutoCloseable {
    private static final int LOOKS = 4;

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
                // Before the looks: what they find waits for no clock.
                long nowNanos = System.nanoTime();
                if (idle) {
                    look();
                }
                idle = engine.doWork(nowNanos) == 0;
                if (!idle) {
                    waiting.reset();
                } else if (waiting.idle()) {
                    armAndSleep();
                    waiting.reset();
                }
            }
        } finally {
            engine.commands().detach();
        }
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
            sleep.sleep(engine.nanosToNextTimer(nowNanos));
        }
    }
}
