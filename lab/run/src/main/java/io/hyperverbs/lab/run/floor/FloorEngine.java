package io.hyperverbs.lab.run.floor;

import io.hyperverbs.verbs.wait.WaitingPolicy;
import io.hyperverbs.vmm.posix.Futex;
import java.util.Arrays;

/** The party that copies, as an HCA's engine does: it polls both requests, and sleeps while there is nothing to poll. */
final class FloorEngine implements Runnable {
    private static final long SLEEP_NANOS = 1_000_000_000;
    private static final long FALLING_ASLEEP_NANOS = 50_000;

    private final FloorMemory memory;
    private final WaitingPolicy waiting = WaitingPolicy.yielding();
    private final int[] served = new int[FloorMemory.PARTIES];
    private final Futex[] sleepers = new Futex[FloorMemory.PARTIES];
    private final FloorServer[] streams = new FloorServer[FloorMemory.PARTIES];

    FloorEngine(FloorMemory memory) {
        this.memory = memory;
        Arrays.setAll(sleepers, memory::futex);
        Arrays.setAll(streams, party -> new FloorServer(memory, party));
    }

    /** Until {@link Phase#END}. */
    @Override
    public void run() {
        Phase phase = memory.phase();
        while (phase != Phase.END) {
            switch (phase) {
                case WRITES, MESSAGES, WAKES -> turn(phase);
                case STREAM, MESSAGE_STREAM -> streamTurn(phase == Phase.MESSAGE_STREAM);
                case IDLE -> memory.sleepThrough(phase, SLEEP_NANOS);
                case END -> {}
            }
            phase = memory.phase();
        }
    }

    /** Until who has asked sleeps: else there would be nobody to wake. */
    static void awaitSleep() {
        long endNanos = System.nanoTime() + FALLING_ASLEEP_NANOS;
        while (System.nanoTime() - endNanos < 0) {
            Thread.onSpinWait();
        }
    }

    private void turn(Phase phase) {
        boolean isIdle = true;
        for (int party = 0; party < FloorMemory.PARTIES; party++) {
            int asked = memory.requests(party);
            if (asked != served[party]) {
                memory.serve(party, asked);
                served[party] = asked;
                if (phase == Phase.WAKES) {
                    awaitSleep();
                    memory.wake(party, sleepers[party], asked);
                }
                isIdle = false;
            }
        }
        wait(isIdle);
    }

    private void streamTurn(boolean relays) {
        boolean isIdle = true;
        for (FloorServer stream : streams) {
            isIdle &= !stream.serve(relays);
        }
        wait(isIdle);
    }

    private void wait(boolean isIdle) {
        if (isIdle) {
            boolean _ = waiting.idle();
        } else {
            waiting.reset();
        }
    }
}
