package io.hyperverbs.lab.run.floor;

import io.hyperverbs.verbs.wait.WaitingPolicy;

/** Party 1: sends back what arrives. */
final class FloorPeer implements Runnable {
    private static final int OWN = 1;
    private static final long SLEEP_NANOS = 1_000_000_000;

    private final FloorMemory memory;
    private final WaitingPolicy waiting = WaitingPolicy.yielding();
    private int arrived;

    FloorPeer(FloorMemory memory) {
        this.memory = memory;
    }

    /** Until {@link Phase#END}. */
    @Override
    public void run() {
        Phase phase = memory.phase();
        while (phase != Phase.END) {
            switch (phase) {
                case MESSAGES -> answer();
                case IDLE, WRITES, WAKES -> memory.sleepThrough(phase, SLEEP_NANOS);
                case END -> {}
            }
            phase = memory.phase();
        }
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
