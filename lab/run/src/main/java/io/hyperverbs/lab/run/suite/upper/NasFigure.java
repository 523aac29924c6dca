package io.hyperverbs.lab.run.suite.upper;

import io.hyperverbs.lab.run.mpi.JobDomains;
import io.hyperverbs.lab.run.mpi.MpiJobs;
import io.hyperverbs.lab.run.mpi.MpiPlan;
import io.hyperverbs.lab.run.suite.Figure;
import io.hyperverbs.lab.run.suite.FigureCell;
import io.hyperverbs.lab.run.suite.FigureInfo;
import io.hyperverbs.lab.run.suite.FigureRound;
import io.hyperverbs.lab.run.suite.SuiteRig;
import io.hyperverbs.launcher.failure.HvException;
import java.io.IOException;
import java.util.List;

/** Kernels of NAS on two ranks. A round is a job of each kernel on each path. */
final class NasFigure implements Figure {
    private static final String CLASS = "S";
    private static final int RANKS = 2;

    @Override
    public FigureInfo info() {
        return new FigureInfo(
                "nas",
                "Kernels of NAS, class S",
                "Liu 2006 §6.6, Figure 20",
                "",
                "ms",
                "native",
                "Two ranks, each kernel again and again in the same processes until it is no faster for a second; the"
                        + " median of the 5 to 25 times after that. The paper has class A on eight nodes.");
    }

    @Override
    public List<FigureRound> run(SuiteRig rig) throws HvException, InterruptedException, IOException {
        return rig.jobs(new JobDomains(2), (jobs, progress) -> {
            MpiJobs mpi = new MpiJobs(jobs);
            List<JobRounds.Part> parts = MpiPlan.KERNELS.stream()
                    .map(kernel -> new JobRounds.Part(
                            kernel,
                            path -> List.of(new JobRounds.Value(
                                    new FigureCell(kernel, 0), path, mpi.kernelMillis(path, RANKS, kernel, CLASS)))))
                    .toList();
            return JobRounds.of(rig, MpiPlan.PATHS).run(JobRounds.few(rig.terms()), parts, progress);
        });
    }
}
