package io.hyperverbs.lab.run.isolate;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.vmm.posix.SystemCall;

/** Signals that Java has no name for. */
public enum ProcessSignal {
    /** A JVM shows its threads and live objects. */
    QUIT(3),
    /** A stopped process goes on. */
    CONT(18),
    /** A process stops, whatever it does. */
    STOP(19);

    /** Number of {@code kill} on x86-64. */
    private static final int KILL = 62;

    private final int number;

    ProcessSignal(int number) {
        this.number = number;
    }

    /** Sends it to a process. */
    public void send(long pid) throws HvException {
        long answer = SystemCall.make(KILL, pid, number);
        if (answer != 0) {
            throw new HvException(ExitCode.FAILURE, "signal " + number + " to " + pid + ": " + answer, "");
        }
    }
}
