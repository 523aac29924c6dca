package io.hyperverbs.lab.run.floor;

import io.hyperverbs.verbs.wait.WaitingPolicy;

/** Many messages one after another, timed together: asked of the engine by a {@link FloorRing}, or copied. One thread. */
final class FloorStream {
    /** A sample is the time for so many of them. */
    static final int MESSAGES = 1000;

    /** The clock is looked at once in so many messages. */
    private static final int LOOK = 64;

    private final FloorMemory memory;
    private final FloorRing ring;
    private final int party;
    private final WaitingPolicy waiting = WaitingPolicy.yielding();
    private int asked;

    FloorStream(FloorMemory memory, int party) {
        this.memory = memory;
        this.ring = memory.ring(party);
        this.party = party;
    }

    /**
     * From the first message to the completion of the last one.
     *
     * @param millis after which no message begins
     * @return nanoseconds that {@link #MESSAGES} of them took
     */
    long run(FloorCell cell, double millis) {
        long begunNanos = System.nanoTime();
        long endNanos = begunNanos + (long) (millis * 1e6);
        long messages = 0;
        long lookAt = 0;
        while (messages < lookAt || System.nanoTime() - endNanos < 0) {
            if (messages >= lookAt) {
                lookAt = messages + LOOK;
            }
            if (cell.floor() == Floor.COPIES) {
                memory.copy(party, cell.bytes());
                messages++;
            } else {
                ask(cell);
                messages += cell.batch();
            }
        }
        awaitOutstanding(0);
        return Math.round((System.nanoTime() - begunNanos) * (double) MESSAGES / messages);
    }

    private void ask(FloorCell cell) {
        awaitOutstanding(cell.outstanding() - cell.batch());
        for (int i = 0; i < cell.batch(); i++) {
            ring.setBytes(asked + i, cell.bytes());
        }
        asked += cell.batch();
        ring.publishAsked(asked);
    }

    /** Until so many at most are left to be done. */
    private void awaitOutstanding(int most) {
        while (asked - ring.done() > most) {
            boolean _ = waiting.idle();
        }
        waiting.reset();
    }
}
