package io.hyperverbs.lab.run.mpi;

import io.hyperverbs.launcher.failure.HvException;
import java.io.IOException;
import java.util.List;

/** Runs programs of several ranks on a path. */
public interface JobRunner {
    /**
     * Waits for the end of all ranks; what they printed.
     *
     * @throws HvException if one ended with another code than 0
     */
    String run(String path, int ranks, String program, List<String> args)
            throws HvException, IOException, InterruptedException;
}
