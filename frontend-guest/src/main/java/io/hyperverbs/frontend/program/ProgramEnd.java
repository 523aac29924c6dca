package io.hyperverbs.frontend.program;

import org.jspecify.annotations.Nullable;

/** Waits for the threads of a program whose main method has ended. */
final class ProgramEnd {
    private static final long LOOK_MILLIS = 20;

    private ProgramEnd() {}

    /**
     * Returns when all threads of the program but the caller and daemons have ended; once it has
     * asked to exit, after that long at most, naming those that go on.
     */
    static void await(ProgramThreads program, long endMillis) {
        long leftMillis = endMillis;
        Thread other = other(program);
        while (other != null) {
            if (leftMillis <= 0) {
                System.err.println(program.getName() + " has exited, its thread " + other.getName() + " has not");
                return;
            }
            try {
                other.join(LOOK_MILLIS);
            } catch (InterruptedException e) {
                // Also how a program that exits interrupts its threads, and this is one of them.
                if (!program.hasExited()) {
                    Thread.currentThread().interrupt();
                    return;
                }
            }
            if (program.hasExited()) {
                leftMillis -= LOOK_MILLIS;
            }
            other = other(program);
        }
    }

    private static @Nullable Thread other(ThreadGroup group) {
        Thread[] threads = new Thread[group.activeCount() + 16];
        int count = group.enumerate(threads);
        for (int i = 0; i < count; i++) {
            Thread other = threads[i];
            if (!other.equals(Thread.currentThread()) && !other.isDaemon()) {
                return other;
            }
        }
        return null;
    }
}
