package io.hyperverbs.lab.run.mpi;

import io.hyperverbs.lab.mpi.PerfLine;
import io.hyperverbs.lab.run.report.PathRounds;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.output.Table;
import io.hyperverbs.launcher.progress.Progress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs jobs of MPI on each path in turn, round by round. A job's code is new in its processes, so each warms up; the
 * first round of messages, in which drivers do, does not count. One thread.
 */
public final class MpiBench {
    private final MpiPlan plan;
    private final MpiJobs jobs;
    private final PathRounds measured = new PathRounds(MpiPlan.PATHS);

    public MpiBench(MpiPlan plan, JobRunner jobs) {
        this.plan = plan;
        this.jobs = new MpiJobs(jobs);
    }

    /** Measures. */
    public void run(Progress progress) throws HvException, IOException, InterruptedException {
        progress.begin("measuring messages", plan.jobs());
        for (int round = 0; round <= plan.rounds(); round++) {
            String name = round == 0 ? "warm" : "round " + round;
            for (String path : MpiPlan.PATHS) {
                List<PerfLine> found = messages(path, progress, name);
                if (round > 0) {
                    note(path, found);
                }
            }
        }
        for (int round = 1; round <= plan.nasRounds(); round++) {
            for (String kernel : MpiPlan.KERNELS) {
                for (String path : MpiPlan.PATHS) {
                    double millis = jobs.kernelMillis(path, plan.ranks(), kernel, plan.nasClass());
                    measured.add("NAS " + kernel + " " + plan.nasClass() + ", ms", null, path, millis);
                    progress.step("NAS " + kernel + ", " + path);
                }
            }
        }
    }

    private List<PerfLine> messages(String path, Progress progress, String round)
            throws HvException, IOException, InterruptedException {
        boolean isPair = plan.ranks() == 2;
        List<PerfLine> found =
                new ArrayList<>(jobs.perf(path, 2, isPair ? "all" : "messages", plan.millis(), plan.sizesBytes()));
        progress.step(round + ", " + path);
        if (!isPair) {
            found.addAll(jobs.perf(path, plan.ranks(), "operations", plan.millis(), plan.sizesBytes()));
            progress.step(round + ", " + path);
        }
        return found;
    }

    /** The figures of a round on a path, and messages beside verbs of the same job. */
    void note(String path, List<PerfLine> lines) {
        MpiRow.inOrder(lines).forEach(row -> row.note(path, measured));
    }

    /** Medians of the rounds, and how each path compares with native in the same round: median, least and most. */
    public Table table() {
        return measured.table("hv.bench-mpi/1")
                .with("ranks", plan.ranks())
                .with("half_trip_bound", MpiBounds.HALF_TRIP)
                .with("bandwidth_bound", MpiBounds.BANDWIDTH);
    }

    /** Whether messages keep the bounds beside plain verbs, where both were measured; a sentence each. */
    public List<String> sentences() {
        return MpiBounds.sentences(measured);
    }
}
