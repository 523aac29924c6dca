package io.hyperverbs.frontend.program;

import io.hyperverbs.verbs.ProgramExit;
import org.jspecify.annotations.Nullable;

/** The threads of one program among several of a process, and how it asked to end. Any thread. */
final class ProgramThreads extends ThreadGroup {
    private @Nullable Integer exitCode;

    ProgramThreads(String name) {
        super(name);
    }

    /** The program of the calling thread; null for a thread that belongs to none. */
    static @Nullable ProgramThreads current() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group != null) {
            if (group instanceof ProgramThreads program) {
                return program;
            }
            group = group.getParent();
        }
        return null;
    }

    /** The program is to end with that code; the first one counts. Interrupts its threads. */
    synchronized void exit(int code) {
        if (exitCode == null) {
            exitCode = code;
        }
        interrupt();
    }

    synchronized boolean hasExited() {
        return exitCode != null;
    }

    /** What {@link #exit} was given, or {@code otherwise}. */
    synchronized int exitCode(int otherwise) {
        return exitCode == null ? otherwise : exitCode;
    }

    @Override
    public void uncaughtException(Thread thread, Throwable problem) {
        // A thread that called System.exit has said all there is to say.
        if (!(problem instanceof ProgramExit)) {
            super.uncaughtException(thread, problem);
        }
    }
}
