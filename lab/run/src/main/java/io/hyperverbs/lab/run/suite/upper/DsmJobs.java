package io.hyperverbs.lab.run.suite.upper;

import io.hyperverbs.lab.dsm.perf.DsmLine;
import io.hyperverbs.lab.run.mpi.JobRunner;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Jobs of shared memory that measure, and what they found. One thread. */
record DsmJobs(JobRunner jobs) {
    /**
     * What a program prints for programs.
     *
     * @param what it is asked for
     * @throws HvException if it measured nothing
     */
    List<DsmLine> lines(String path, int nodes, String program, String... what)
            throws HvException, IOException, InterruptedException {
        String said = jobs.run(path, nodes, program, List.of(what));
        List<DsmLine> lines =
                said.lines().map(DsmLine::of).flatMap(Optional::stream).toList();
        if (lines.isEmpty()) {
            throw new HvException(ExitCode.FAILURE, program + " measured nothing on the path " + path, "");
        }
        return lines;
    }
}
