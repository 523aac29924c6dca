package io.hyperverbs.toolstack.fairness.load;

import io.hyperverbs.vmm.posix.PosixException;
import io.hyperverbs.vmm.posix.ThreadAffinity;

import java.util.BitSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Threads that compute without pause while the attack lasts, and ask nothing of the card. */
final class ComputeThreads implements Load {
    private static final int STACK_BYTES = 64 << 10;
    private static final int MOST_CORES = 1024;
    private static final long LOOK_NANOS = 5_000_000;

    private final int count;
    private final boolean pinned;
    // Counts attacks: threads of one that is over end, however late they come to look.
    private final AtomicInteger attack = new AtomicInteger();
    private boolean over = true;
    private volatile boolean begun;
    private volatile long sink;

    private ComputeThreads(int count, boolean pinned) {
        this.count = count;
        this.pinned = pinned;
    }

    /** Anywhere it may run. */
    static Load anywhere(int count) {
        return new ComputeThreads(count, false);
    }

    /** On the last core that it can get to: the engine's, unless that is out of reach. */
    static Load onTheLastCore(int count) {
        return new ComputeThreads(count, true);
    }

    @Override
    public void step() {
        if (over) {
            over = false;
            begin();
        }
        compute(100_000);
    }

    @Override
    public void settle() {
        over = true;
        var _ = attack.incrementAndGet();
    }

    private void begin() {
        // Those that compute already would keep it from starting the others, and the others from
        // waking each other: so each looks for itself.
        begun = false;
        int mine = attack.get();
        for (int i = 0; i < count; i++) {
            Thread.ofPlatform()
                    .daemon()
                    .name("compute-" + i)
                    .stackSize(STACK_BYTES)
                    .start(() -> run(mine));
        }
        begun = true;
    }

    private void run(int mine) {
        if (pinned) {
            pin();
        }
        while (!begun && attack.get() == mine) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
        while (attack.get() == mine) {
            compute(1000);
        }
    }

    private void compute(int rounds) {
        long value = sink;
        for (int i = 0; i < rounds; i++) {
            value = value * 6364136223846793005L + 1442695040888963407L;
        }
        sink = value;
    }

    private static void pin() {
        for (int core = MOST_CORES - 1; core >= 0; core--) {
            BitSet one = new BitSet();
            one.set(core);
            try {
                ThreadAffinity.set(one);
                return;
            } catch (PosixException refused) {
                // It is not there, or not for a guest.
            }
        }
    }
}
