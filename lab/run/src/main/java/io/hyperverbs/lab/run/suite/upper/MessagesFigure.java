package io.hyperverbs.lab.run.suite.upper;

import io.hyperverbs.lab.mpi.PerfLine;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Messages of MPI by size, beside the verb that they are made of in the same job: half round trips, or streams. */
final class MessagesFigure implements Figure {
    static final MessagesFigure LATENCY = new MessagesFigure(
            new FigureInfo(
                    "mpi-latency",
                    "Half round trips of MPI by size",
                    "Liu 2006 §6.6, Figure 18",
                    "bytes",
                    "μs",
                    "native",
                    "Two ranks pass a message to and fro, from registered RAM; beside it a plain SEND of the same job."
                            + " Native ranks are threads of one program, those of guests a program each. All poll."),
            "trips",
            List.of(8, 65536),
            List.of(8, 64, 1024, 8192, 65536, 1 << 20),
            Map.of(PerfLine.HALF_TRIP, "MPI", PerfLine.SEND_HALF_TRIP, "SEND"));

    static final MessagesFigure BANDWIDTH = new MessagesFigure(
            new FigureInfo(
                    "mpi-bandwidth",
                    "Bandwidth of MPI by size",
                    "Liu 2006 §6.6, Figure 19",
                    "bytes",
                    "MiB/s",
                    "native",
                    "A rank sends 16 messages at a time to another, which answers when it has all; beside it RDMA"
                            + " writes of the same job, as many at a time."),
            "streams",
            List.of(65536, 1 << 20),
            List.of(1024, 8192, 65536, 262_144, 1 << 20),
            Map.of(PerfLine.BANDWIDTH, "MPI", PerfLine.WRITE_BANDWIDTH, "RDMA write"));

    private static final JobDomains PAIR = new JobDomains(2);
    private static final int QUICK_MILLIS = 15;
    private static final int MILLIS = 40;

    private final FigureInfo info;
    private final String asked;
    private final List<Integer> quickSizes;
    private final List<Integer> sizes;
    private final Map<String, String> whats;

    private MessagesFigure(
            FigureInfo info, String asked, List<Integer> quickSizes, List<Integer> sizes, Map<String, String> whats) {
        this.info = info;
        this.asked = asked;
        this.quickSizes = quickSizes;
        this.sizes = sizes;
        this.whats = whats;
    }

    @Override
    public FigureInfo info() {
        return info;
    }

    @Override
    public List<FigureRound> run(SuiteRig rig) throws HvException, InterruptedException, IOException {
        List<Integer> chosen = rig.terms().pick(quickSizes, sizes);
        int millis = rig.terms().pick(QUICK_MILLIS, MILLIS);
        return rig.jobs(PAIR, (jobs, progress) -> {
            MpiJobs mpi = new MpiJobs(jobs);
            List<JobRounds.Part> parts = List.of(
                    new JobRounds.Part("messages", path -> values(path, mpi.perf(path, 2, asked, millis, chosen))));
            return JobRounds.of(rig, MpiPlan.PATHS)
                    .warmUp(parts, progress)
                    .run(rig.terms().rounds(), parts, progress);
        });
    }

    private List<JobRounds.Value> values(String path, List<PerfLine> lines) {
        List<JobRounds.Value> values = new ArrayList<>();
        for (PerfLine line : lines) {
            String what = whats.get(line.what());
            if (what != null) {
                values.add(new JobRounds.Value(new FigureCell(what, line.bytes()), path, line.value()));
            }
        }
        return values;
    }
}
