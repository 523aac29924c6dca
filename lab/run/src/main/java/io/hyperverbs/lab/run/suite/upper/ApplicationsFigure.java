package io.hyperverbs.lab.run.suite.upper;

import io.hyperverbs.lab.dsm.perf.DsmLine;
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

/** Applications on shared memory by nodes. A round is a job of all of them on each number of nodes. */
final class ApplicationsFigure implements Figure {
    static final ApplicationsFigure TIMES = new ApplicationsFigure(
            new FigureInfo(
                    "dsm-applications",
                    "Applications on shared memory by nodes",
                    "Liss 2003 §5.2, Table 2",
                    "nodes",
                    "ms",
                    "native",
                    "Small problems, each run twice in the same processes; the second time counts. Nodes share the"
                            + " cores that the HCA leaves, in two domains: beyond one core they wait for each other's"
                            + " turns, so this is no speed-up of computers."),
            MpiPlan.PATHS,
            List.of(1, 4),
            List.of(1, 2, 4, 8));

    static final ApplicationsFigure TRAFFIC = new ApplicationsFigure(
            new FigureInfo(
                    "dsm-traffic",
                    "What applications on shared memory send",
                    "Liss 2003 §5.2, Table 2",
                    "nodes",
                    "messages, KiB",
                    DsmLine.MESSAGES,
                    "Messages of all nodes and the KiB of minipages that go between them, in the measured part of the"
                            + " same problems, between guests: what does not depend on the number of cores."),
            List.of(MpiPlan.BYPASS),
            List.of(4),
            List.of(2, 4, 8));

    private final FigureInfo info;
    private final List<String> paths;
    private final List<Integer> quickNodes;
    private final List<Integer> nodes;

    private ApplicationsFigure(FigureInfo info, List<String> paths, List<Integer> quickNodes, List<Integer> nodes) {
        this.info = info;
        this.paths = paths;
        this.quickNodes = quickNodes;
        this.nodes = nodes;
    }

    @Override
    public FigureInfo info() {
        return info;
    }

    @Override
    public List<FigureRound> run(SuiteRig rig) throws HvException, InterruptedException, IOException {
        return rig.jobs(new JobDomains(2), (jobs, progress) -> {
            DsmJobs dsm = new DsmJobs(jobs);
            List<JobRounds.Part> parts = rig.terms().pick(quickNodes, nodes).stream()
                    .map(count -> new JobRounds.Part(
                            count == 1 ? "1 node" : count + " nodes",
                            path -> values(path, dsm.lines(path, count, "dsm", "lines", "all", "small"))))
                    .toList();
            return rounds(rig).run(JobRounds.few(rig.terms()), parts, progress);
        });
    }

    /** Counts are no others beside other work, or where cores are far from each other: no round of them is dropped. */
    private JobRounds rounds(SuiteRig rig) {
        return isOfTimes() ? JobRounds.of(rig, paths) : new JobRounds(paths, _ -> 0, () -> 0);
    }

    private boolean isOfTimes() {
        return paths.size() > 1;
    }

    private List<JobRounds.Value> values(String path, List<DsmLine> lines) {
        return lines.stream()
                .filter(line -> line.kind().equals(DsmLine.MILLIS) == isOfTimes())
                .map(line -> new JobRounds.Value(
                        new FigureCell(line.what(), line.x()), isOfTimes() ? path : line.kind(), line.value()))
                .toList();
    }
}
