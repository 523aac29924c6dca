package io.hyperverbs.lab.run.mpi;

import io.hyperverbs.lab.mpi.PerfLine;
import io.hyperverbs.lab.run.report.PathRounds;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row of a job: a figure, or the ratio of two of one size.
 *
 * @param size null for what has none
 */
record MpiRow(String what, @Nullable Integer size, double value, boolean isRatio) {
    static final String HALF_TRIP_RATIO = "half trip / SEND";
    static final String BANDWIDTH_RATIO = "bandwidth / RDMA write";

    /** Figures in the order in which they are shown, each with the ratio that stands below it. */
    private static final List<String> ORDER = List.of(
            PerfLine.HALF_TRIP,
            PerfLine.SEND_HALF_TRIP,
            PerfLine.HALF_TRIP_BY_WRITES,
            PerfLine.BANDWIDTH,
            PerfLine.WRITE_BANDWIDTH,
            PerfLine.BANDWIDTH_BY_WRITES,
            PerfLine.BOTH_WAYS,
            PerfLine.RATE,
            PerfLine.BARRIER,
            PerfLine.BCAST,
            PerfLine.ALL_REDUCE,
            PerfLine.ALL_TO_ALL);

    /**
     * What messages are to a plain verb.
     *
     * @param what the name of the ratio
     */
    private record Beside(String what, String messages, String verb) {}

    private static final List<Beside> RATIOS = List.of(
            new Beside(HALF_TRIP_RATIO, PerfLine.HALF_TRIP, PerfLine.SEND_HALF_TRIP),
            new Beside(BANDWIDTH_RATIO, PerfLine.BANDWIDTH, PerfLine.WRITE_BANDWIDTH));

    /** Rows of all lines of a job, one figure after the other, and ratios below their verb. */
    static List<MpiRow> inOrder(List<PerfLine> lines) {
        List<MpiRow> rows = new ArrayList<>();
        for (String figure : ORDER) {
            of(figure, lines).forEach(line -> rows.add(new MpiRow(figure, size(line), line.value(), false)));
            RATIOS.stream()
                    .filter(ratio -> ratio.verb.equals(figure))
                    .forEach(ratio -> rows.addAll(ratios(ratio, lines)));
        }
        return rows;
    }

    private static List<PerfLine> of(String figure, List<PerfLine> lines) {
        return lines.stream().filter(line -> line.what().equals(figure)).toList();
    }

    private static List<MpiRow> ratios(Beside ratio, List<PerfLine> lines) {
        List<MpiRow> rows = new ArrayList<>();
        for (PerfLine verb : of(ratio.verb, lines)) {
            for (PerfLine messages : of(ratio.messages, lines)) {
                if (messages.bytes() == verb.bytes()) {
                    rows.add(new MpiRow(ratio.what, verb.bytes(), messages.value() / verb.value(), true));
                }
            }
        }
        return rows;
    }

    private static @Nullable Integer size(PerfLine line) {
        return line.what().equals(PerfLine.BARRIER) ? null : Integer.valueOf(line.bytes());
    }

    void note(String path, PathRounds rounds) {
        if (isRatio) {
            rounds.addRatio(what, size, path, value);
        } else {
            rounds.add(what, size, path, value);
        }
    }
}
