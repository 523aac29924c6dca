package io.hyperverbs.lab.run.ip;

import io.hyperverbs.lab.run.report.PathRounds;
import io.hyperverbs.launcher.output.Table;
import io.hyperverbs.launcher.progress.Progress;
import java.io.IOException;
import java.util.List;

/** Measures all cells on all pairs in turn, round by round; the first round warms up and does not count. */
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
    public void run(Progress progress) throws IOException {
        progress.begin("measuring sockets", rounds + 1L);
        for (int round = 0; round <= rounds; round++) {
            for (IpCell cell : cells) {
                for (IpPair pair : pairs) {
                    double value = cell.measure(pair);
                    if (round > 0) {
                        note(cell, pair.word(), value);
                    }
                }
            }
            progress.step(round == 0 ? "warm" : "round " + round);
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
