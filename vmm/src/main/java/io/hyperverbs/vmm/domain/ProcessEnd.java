package io.hyperverbs.vmm.domain;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/**
 * Ends of processes that are not this one's children. One that waits for its parent to take note has ended: it has
 * nothing left. In a container the first process may never take note, and the JDK calls such a process alive. Any thread.
 */
public final class ProcessEnd {
    // There is no SIGCHLD of them; the JDK would look every 300 ms.
    private static final long FIRST_LOOK_MILLIS = 1;
    private static final long LONGEST_LOOK_MILLIS = 50;

    private ProcessEnd() {}

    public static boolean hasEnded(ProcessHandle process) {
        if (!process.isAlive()) {
            return true;
        }
        try {
            return ProcessStat.of(process.pid()).isZombie();
        } catch (IOException e) {
            return !process.isAlive();
        }
    }

    /** Waits for it; false if it is over too late. */
    public static boolean await(ProcessHandle process, Duration timeout) throws InterruptedException {
        return await(List.of(process), timeout);
    }

    /** Waits for all. */
    static boolean await(Collection<ProcessHandle> processes, Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        long lookMillis = FIRST_LOOK_MILLIS;
        while (!processes.stream().allMatch(ProcessEnd::hasEnded)) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            Thread.sleep(lookMillis);
            lookMillis = Math.min(2 * lookMillis, LONGEST_LOOK_MILLIS);
        }
        return true;
    }
}
