package io.hyperverbs.upper.dsm.node;

import java.util.List;

/** Waits for threads that end by themselves. */
public final class ThreadEnds {
    private ThreadEnds() {}

    /** Waits for all, also when interrupted; the caller is interrupted afterwards then. */
    public static void await(List<Thread> threads) {
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException _) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
