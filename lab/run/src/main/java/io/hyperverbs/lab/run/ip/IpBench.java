package io.hyperverbs.lab.run.ip;

import io.hyperverbs.lab.run.report.PathRounds;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.output.Table;
import io.hyperverbs.launcher.progress.Progress;
import java.io.IOException;
import java.util.List;

/** Measures all cells on all pairs in turn, round by round, when all are warm. */
public final class IpBench {
    private final List<IpPair> pairs;
    private final List<IpCell> cells;
    private final int rounds;

    private final PathRounds measured;

    /**
     * @param pairs the first is what others are compared with
     * @param rounds that count, at least 1
     */
    public IpBench(List<IpPair> pairs, List<IpCell> cells, int rounds) {
        this.pairs = List.copyOf(pairs);
        this.cells = List.copyOf(cells);
        this.rounds = rounds;
        this.measured = new PathRounds(pairs.stream().map(IpPair::word).toList());
    }

    /** Measures. */
    public void run(Progress progress) throws HvException, IOException, InterruptedException {
        IpWarmUp.run(cells, pairs, progress);
        progress.begin("measuring sockets", rounds);
        for (int round = 1; round <= rounds; round++) {
            for (IpCell cell : cells) {
                for (IpPair pair : pairs) {
                    note(cell, pair.word(), cell.measure(pair));
                }
            }
            progress.step("round " + round);
        }
    }

    void note(IpCell cell, String path, double value) {
        measured.add(cell.kind().word(), cell.sizeBytes(), path, value);
    }

    /** Medians of the rounds, and how each path compares with the first in the same round: median, least and most. */
    public Table table() {
        return measured.table("hv.bench-ip/1");
    }
}
