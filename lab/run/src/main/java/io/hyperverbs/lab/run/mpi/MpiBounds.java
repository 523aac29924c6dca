package io.hyperverbs.lab.run.mpi;

import io.hyperverbs.lab.run.bench.Percentiles;
import io.hyperverbs.lab.run.report.PathRounds;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What messages of MPI may cost beside plain verbs of the same job (docs/mpi.md). Stateless. */
final class MpiBounds {
    /** Half a round trip of 8 bytes takes at most so many times as long as that of a SEND. */
    static final double HALF_TRIP = 1.3;

    /** Messages of 1 MiB have at least that part of the bandwidth of RDMA writes. */
    static final double BANDWIDTH = 0.85;

    private static final int SHORT_BYTES = 8;
    private static final int LONG_BYTES = 1 << 20;

    private MpiBounds() {}

    static List<String> sentences(PathRounds rounds) {
        List<String> sentences = new ArrayList<>();
        for (String path : MpiPlan.PATHS) {
            List<Double> trips = rounds.values(MpiRow.HALF_TRIP_RATIO, SHORT_BYTES, path);
            if (!trips.isEmpty()) {
                sentences.add(sentence(
                        path,
                        "half a round trip of 8 bytes takes %s of a SEND, bound %s at most",
                        trips,
                        HALF_TRIP,
                        Percentiles.of(trips).median() <= HALF_TRIP));
            }
            List<Double> streams = rounds.values(MpiRow.BANDWIDTH_RATIO, LONG_BYTES, path);
            if (!streams.isEmpty()) {
                sentences.add(sentence(
                        path,
                        "messages of 1 MiB have %s of the bandwidth of RDMA writes, bound %s at least",
                        streams,
                        BANDWIDTH,
                        Percentiles.of(streams).median() >= BANDWIDTH));
            }
        }
        return sentences;
    }

    private static String sentence(String path, String words, List<Double> ratios, double bound, boolean held) {
        return path + ": " + String.format(Locale.ROOT, words, PathRounds.spreadWords(ratios), bound)
                + (held ? ": held." : ": not held.");
    }
}
