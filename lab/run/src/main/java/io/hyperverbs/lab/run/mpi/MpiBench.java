package io.hyperverbs.lab.run.mpi;

import io.hyperverbs.lab.mpi.PerfLine;
import io.hyperverbs.lab.run.bench.Percentiles;
import io.hyperverbs.lab.run.report.PathRounds;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.output.Table;
import io.hyperverbs.launcher.progress.Progress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Runs jobs of MPI on each path in turn, round by round. A job's code is new in its processes, so each warms up; the
 * first round of messages, in which drivers do, does not count. One thread.
 */
public final class MpiBench {
    /** Of kernels in the same processes; guests still compile in the first half of them. */
    private static final int KERNEL_ROUNDS = 8;

    private static final String NAS_ROUNDS = Integer.toString(KERNEL_ROUNDS);

    private static final double MILLIS = 1e3;
    private static final Pattern ROUND = Pattern.compile("(?m)^round +[0-9]+ +([0-9]+\\.[0-9]+) s");

    private final MpiPlan plan;
    private final JobRunner jobs;
    private final PathRounds measured = new PathRounds(MpiPlan.PATHS);

    public MpiBench(MpiPlan plan, JobRunner jobs) {
        this.plan = plan;
        this.jobs = jobs;
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
                    String said = jobs.run(path, plan.ranks(), "nas", List.of(kernel, plan.nasClass(), NAS_ROUNDS));
                    noteKernel(kernel, path, said);
                    progress.step("NAS " + kernel + ", " + path);
                }
            }
        }
    }

    private List<PerfLine> messages(String path, Progress progress, String round)
            throws HvException, IOException, InterruptedException {
        boolean isPair = plan.ranks() == 2;
        List<PerfLine> found = new ArrayList<>(perf(path, 2, isPair ? "all" : "messages"));
        progress.step(round + ", " + path);
        if (!isPair) {
            found.addAll(perf(path, plan.ranks(), "operations"));
            progress.step(round + ", " + path);
        }
        return found;
    }

    private List<PerfLine> perf(String path, int ranks, String what)
            throws HvException, IOException, InterruptedException {
        String sizes = plan.sizesBytes().stream().map(String::valueOf).collect(Collectors.joining(","));
        String said = jobs.run(path, ranks, "mpi-perf", List.of("lines", what, Integer.toString(plan.millis()), sizes));
        List<PerfLine> lines =
                said.lines().map(PerfLine::of).flatMap(Optional::stream).toList();
        if (lines.isEmpty()) {
            throw new HvException(ExitCode.FAILURE, "mpi-perf measured nothing on the path " + path, "");
        }
        return lines;
    }

    /** The figures of a round on a path, and messages beside verbs of the same job. */
    void note(String path, List<PerfLine> lines) {
        MpiRow.inOrder(lines).forEach(row -> row.note(path, measured));
    }

    /** Of the second half of the kernel's rounds the median counts. */
    void noteKernel(String kernel, String path, String said) throws HvException {
        List<Double> seconds = ROUND.matcher(said)
                .results()
                .map((MatchResult round) -> Double.parseDouble(round.group(1)))
                .toList();
        if (seconds.size() != KERNEL_ROUNDS) {
            throw new HvException(ExitCode.FAILURE, "nas " + kernel + " measured nothing on the path " + path, "");
        }
        double median = Percentiles.of(seconds.subList(KERNEL_ROUNDS / 2, KERNEL_ROUNDS))
                .median();
        measured.add("NAS " + kernel + " " + plan.nasClass() + ", ms", null, path, median * MILLIS);
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
