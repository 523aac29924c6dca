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

/** Read faults between guests, by size and by how the data goes. */
final class TransferFigure implements Figure {
    @Override
    public FigureInfo info() {
        return new FigureInfo(
                "dsm-transfer",
                "Read faults by size of the minipage",
                "Liss 2003 §4, §5.1",
                "bytes",
                "μs",
                "write",
                "A guest loads an element of which it has no copy, from a minipage that its owner may write, or that"
                    + " another guest has a copy of: the data comes by RDMA write, in a message (send), or is fetched"
                    + " by RDMA read where nobody may write it.");
    }

    @Override
    public List<FigureRound> run(SuiteRig rig) throws HvException, InterruptedException, IOException {
        int nodes = HandlingFigure.NODES;
        return rig.jobs(new JobDomains(nodes), (jobs, progress) -> {
            DsmJobs dsm = new DsmJobs(jobs);
            List<JobRounds.Part> parts = List.of(new JobRounds.Part(
                    "faults",
                    path -> dsm.lines(path, nodes, "dsm-perf", "lines", "faults").stream()
                            .map(line -> new JobRounds.Value(
                                    new FigureCell(line.what(), line.x()), line.kind(), line.value()))
                            .toList()));
            return JobRounds.of(rig, List.of(MpiPlan.BYPASS)).run(JobRounds.few(rig.terms()), parts, progress);
        });
    }
}
