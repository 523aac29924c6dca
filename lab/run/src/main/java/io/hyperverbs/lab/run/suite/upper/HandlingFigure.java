package io.hyperverbs.lab.run.suite.upper;

import io.hyperverbs.lab.run.mpi.JobDomains;
import io.hyperverbs.lab.run.mpi.MpiPlan;
import io.hyperverbs.lab.run.suite.Figure;
import io.hyperverbs.lab.run.suite.FigureCell;
import io.hyperverbs.lab.run.suite.FigureInfo;
import io.hyperverbs.lab.run.suite.FigureRound;
import io.hyperverbs.lab.run.suite.SuiteRig;
import io.hyperverbs.launcher.failure.HvException;
import java.io.IOException;
import java.util.List;

/** How long a node waits for a lock, by the context in which messages are handled. A cell is a path. */
final class HandlingFigure implements Figure {
    static final int NODES = 3;
    private static final List<String> QUICK_PATHS = List.of(MpiPlan.BYPASS);

    @Override
    public FigureInfo info() {
        return new FigureInfo(
                "dsm-handling",
                "Contexts of handling messages",
                "Liss 2003 §5.1, Table 1",
                "",
                "μs",
                "polling",
                "A node takes a free lock from its home, another node, and sleeps meanwhile, as the home's program"
                    + " does. The home handles the request by polling, at a completion event (the paper's interrupt),"
                    + " in a task queue after it, or in another thread (the paper's process).");
    }

    @Override
    public List<FigureRound> run(SuiteRig rig) throws HvException, InterruptedException, IOException {
        return rig.jobs(new JobDomains(NODES), (jobs, progress) -> {
            DsmJobs dsm = new DsmJobs(jobs);
            List<JobRounds.Part> parts = List.of(new JobRounds.Part(
                    "locks",
                    path -> dsm.lines(path, NODES, "dsm-perf", "lines", "locks").stream()
                            .map(line -> new JobRounds.Value(new FigureCell(path, 0), line.kind(), line.value()))
                            .toList()));
            return JobRounds.of(rig, rig.terms().pick(QUICK_PATHS, MpiPlan.PATHS))
                    .run(JobRounds.few(rig.terms()), parts, progress);
        });
    }
}
