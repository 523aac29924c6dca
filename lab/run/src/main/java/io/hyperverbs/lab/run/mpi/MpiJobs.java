package io.hyperverbs.lab.run.mpi;

import io.hyperverbs.lab.mpi.PerfLine;
import io.hyperverbs.lab.run.bench.Percentiles;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Jobs of MPI that measure, and what they found. One thread. */
public record MpiJobs(JobRunner jobs) {
    private static final double MILLIS = 1e3;
    private static final Pattern ROUND = Pattern.compile("(?m)^round +[0-9]+ +([0-9]+\\.[0-9]+) s");

    /**
     * A job of mpi-perf.
     *
     * @param what as its first word
     * @param millis of each figure, about
     * @param sizesBytes of messages
     * @throws HvException if it measured nothing
     */
    public List<PerfLine> perf(String path, int ranks, String what, int millis, List<Integer> sizesBytes)
            throws HvException, IOException, InterruptedException {
        String sizes = sizesBytes.stream().map(String::valueOf).collect(Collectors.joining(","));
        String said = jobs.run(path, ranks, "mpi-perf", List.of("lines", what, Integer.toString(millis), sizes));
        List<PerfLine> lines =
                said.lines().map(PerfLine::of).flatMap(Optional::stream).toList();
        if (lines.isEmpty()) {
            throw new HvException(ExitCode.FAILURE, "mpi-perf measured nothing on the path " + path, "");
        }
        return lines;
    }

    /**
     * A kernel of NAS, as often in the same processes as it takes until it is no faster than before, and then some.
     *
     * @return milliseconds, the median of the rounds after that
     * @throws HvException if it measured nothing
     */
    public double kernelMillis(String path, int ranks, String kernel, String nasClass)
            throws HvException, IOException, InterruptedException {
        String said = jobs.run(path, ranks, "nas", List.of(kernel, nasClass, "warm"));
        List<Double> seconds = ROUND.matcher(said)
                .results()
                .map((MatchResult round) -> Double.parseDouble(round.group(1)))
                .toList();
        if (seconds.isEmpty()) {
            throw new HvException(ExitCode.FAILURE, "nas " + kernel + " measured nothing on the path " + path, "");
        }
        return MILLIS * Percentiles.of(seconds).median();
    }
}
