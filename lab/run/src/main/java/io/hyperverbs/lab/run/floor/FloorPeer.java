package io.hyperverbs.lab.run.floor;

import io.hyperverbs.verbs.wait.WaitingPolicy;

/** Party 1: sends back what arrives, or takes it. */
final class FloorPeer implements Runnable {
    private static final int OWN = 1;
    private static final long SLEEP_NANOS = 1_000_000_000;

    private final FloorMemory memory;
    private final WaitingPolicy waiting = WaitingPolicy.yielding();
    private final FloorRing sender;
    private int arrived;
    private int taken;

    FloorPeer(FloorMemory memory) {
        this.memory = memory;
        this.sender = memory.ring(1 - OWN);
    }

    /** Until {@link Phase#END}. */
    @Override
    public void run() {
        Phase phase = memory.phase();
        while (phase != Phase.END) {
            switch (phase) {
                case MESSAGES -> answer();
                case MESSAGE_STREAM -> take();
                case IDLE, WRITES, WAKES, STREAM -> memory.sleepThrough(phase, SLEEP_NANOS);
                case END -> {}
            }
            phase = memory.phase();
        }
    }

    private void take() {
        int now = sender.arrived();
        if (now == taken) {
            boolean _ = waiting.idle();
            return;
        }
        waiting.reset();
        taken = now;
        sender.publishTaken(now);
    }

    private void answer() {
        int now = memory.arrivals(OWN);
        if (now == arrived) {
            boolean _ = waiting.idle();
            return;
        }
        waiting.reset();
        arrived = now;
        // By its number the asker tells it from one that was left from before.
        memory.request(OWN, now, memory.arrivedBytes(OWN));
    }
}
