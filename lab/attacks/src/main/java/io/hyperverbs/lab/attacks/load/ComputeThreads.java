package io.hyperverbs.lab.attacks.load;

import io.hyperverbs.lab.attacks.cases.Computing;
import io.hyperverbs.vmm.posix.PosixException;
import io.hyperverbs.vmm.posix.ThreadAffinity;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Threads that compute without pause while the attack lasts, and ask nothing of the HCA. */
final class ComputeThreads implements Load {
    private static final int MOST_CORES = 1024;
    private static final int STEPS = 100_000;

    private final int count;
    private final Runnable first;
    private @Nullable Computing computing;
    private volatile long done;

    private ComputeThreads(int count, Runnable first) {
        this.count = count;
        this.first = first;
    }

    /** Anywhere it may run. */
    static Load anywhere(int count) {
        return new ComputeThreads(count, () -> {});
    }

    /** On the last core that it can get to: the engine's, unless that is out of reach. */
    static Load onTheLastCore(int count) {
        return new ComputeThreads(count, ComputeThreads::pin);
    }

    @Override
    public void step() {
        if (computing == null) {
            computing = Computing.begin(count, first);
        }
        // This thread does not wait for the others to be over: it computes too.
        long steps = done;
        while (steps < done + STEPS) {
            steps++;
        }
        done = steps;
    }

    @Override
    public void settle() {
        if (computing != null) {
            computing.end();
            computing = null;
        }
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
