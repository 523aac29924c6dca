package io.hyperverbs.lab.attacks.cases;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;

/**
 * A thread that rewrites fields of the work request that is being posted, as fast as it can,
 * between a value that is right and one that is not.
 */
final class Flipper implements AutoCloseable {
    private static final long SEGMENT_COUNT = 10;
    private static final long LENGTH = 56;

    private final MemorySegment memory;
    private final SplittableRandom dice;
    private final Thread thread;
    private volatile long slot;

    private Flipper(MemorySegment memory, SplittableRandom dice) {
        this.memory = memory;
        this.dice = dice;
        this.thread = new Thread(this::flip, "flipper");
    }

    static Flipper start(MemorySegment memory, SplittableRandom dice) {
        Flipper flipper = new Flipper(memory, dice);
        flipper.thread.setDaemon(true);
        flipper.thread.start();
        return flipper;
    }

    /** Aims at the request at that offset; 0: rests. */
    void aim(long offset) {
        slot = offset;
    }

    private void flip() {
        for (long now = slot; now >= 0; now = slot) {
            if (now == 0) {
                Thread.onSpinWait();
                continue;
            }
            boolean right = dice.nextBoolean();
            memory.set(ValueLayout.JAVA_SHORT, now + SEGMENT_COUNT, (short) (right ? 1 : 200));
            memory.set(ValueLayout.JAVA_INT, now + LENGTH, right ? 64 : 1 << 30);
        }
    }

    @Override
    public void close() {
        slot = -1;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
