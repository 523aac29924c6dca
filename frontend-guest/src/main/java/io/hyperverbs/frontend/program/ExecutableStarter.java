package io.hyperverbs.frontend.program;

import java.io.IOException;
import java.util.List;

/** Starts executables of the computer within the guest. Any thread. */
public interface ExecutableStarter {
    /**
     * Starts one, with no standard input; its output goes where the guest's goes.
     *
     * @param command a path, or a name that is looked for where executables are, then arguments
     * @throws IOException if none can be started any more
     */
    Running start(List<String> command) throws IOException;

    /** One that was started. */
    interface Running {
        /** Waits until it has ended: its exit code, 128 and the signal's number, or 127 if there is no such command. */
        int await() throws InterruptedException;

        /** Asks it and its children to end, and ends those that do not. */
        void cancel();
    }
}
