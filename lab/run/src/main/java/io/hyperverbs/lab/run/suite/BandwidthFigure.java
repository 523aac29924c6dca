package io.hyperverbs.lab.run.suite;

import io.hyperverbs.lab.bench.BenchVerb;
import io.hyperverbs.lab.run.bench.MeasuredPath;
import io.hyperverbs.launcher.failure.HvException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Bandwidth by size of a stream with many messages in flight. */
final class BandwidthFigure implements Figure {
    private static final List<Integer> QUICK_SIZES = List.of(4096, 65536);
    private static final List<Integer> SIZES = List.of(64, 1024, 4096, 16384, 65536, 262_144, 1 << 20);

    /** What a row moves, about. */
    private static final long ROW_BYTES = 256L << 20;

    private static final int MOST_MESSAGES = 50_000;
    private static final int LEAST_MESSAGES = 500;
    private static final double MIB = 1 << 20;

    @Override
    public FigureInfo info() {
        return new FigureInfo(
                "bandwidth",
                "Bandwidth by size",
                "Liu 2006 §6.2, Figures 11 and 12",
                "bytes",
                "MiB/s",
                MeasuredPath.NATIVE.word(),
                "From the first post to the last completion, up to 128 messages in flight on one queue pair; payload"
                        + " is not touched.");
    }

    @Override
    public List<FigureRound> run(SuiteRig rig) throws HvException, InterruptedException, IOException {
        List<PerfRounds.Load> loads = new ArrayList<>();
        for (BenchVerb verb : List.of(BenchVerb.WRITE, BenchVerb.SEND)) {
            for (int size : rig.terms().pick(QUICK_SIZES, SIZES)) {
                int messages = Math.clamp(ROW_BYTES / size, LEAST_MESSAGES, MOST_MESSAGES);
                loads.add(new PerfRounds.Load(new FigureCell(verb.word(), size), verb, size, 1, 1, messages));
            }
        }
        return PerfRounds.streams(loads, row -> row.perSecond() * row.sizeBytes() / MIB)
                .run(rig);
    }
}
