package io.hyperverbs.lab.run.report;

import io.hyperverbs.lab.run.bench.HopState;
import io.hyperverbs.lab.run.bench.MeasuredRound;
import io.hyperverbs.lab.run.bench.Standing;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * The rows of {@code hv bench lat} or {@code bw}, as {@code lab.run.perf.PerfReport} writes them. Each was measured once,
 * so it has no spread; it is a result unless something disturbed it. Of {@code bw} the time for each message is compared.
 */
public final class PerfFile {
    private static final String LATENCY = "hv.lat/1";
    private static final String BANDWIDTH = "hv.bw/1";

    /** The key of the options, in the file. */
    public static final String OPTIONS = "options";

    private PerfFile() {}

    /**
     * Reads a file.
     *
     * @throws BenchFile.BadFile if it is none of that command
     */
    public static BenchFile read(Path file, boolean latency) throws BenchFile.BadFile {
        return BenchFile.read(file, object -> of(object, latency));
    }

    /** The rows of such an object. */
    public static BenchFile of(JsonNode object, boolean latency) throws BenchFile.BadFile {
        BenchFile.check(object, latency ? LATENCY : BANDWIDTH);
        String options = BenchFile.word(object, OPTIONS, "it");
        String verb = BenchFile.word(object, "verb", "it");
        Map<BenchFile.Key, BenchFile.Line> lines = new LinkedHashMap<>();
        for (JsonNode row : object.path("rows")) {
            String where = "row " + (lines.size() + 1);
            int size = (int) BenchFile.number(row, "size", where);
            HopState hop = BenchFile.hop(BenchFile.word(row, "hop_state", where), where);
            double others = BenchFile.number(row, "other_cores", where);
            boolean good = hop.isKnown() && others <= MeasuredRound.MOST_OTHER_CORES;
            lines.put(
                    new BenchFile.Key(verb, size, BenchFile.word(row, "path", where)),
                    new BenchFile.Line(
                            micros(row, latency, where), 0, hop, good ? Standing.RESULT : Standing.DISTURBED));
        }
        return BenchFile.of(lines, options, object);
    }

    /** Of a message. */
    private static double micros(JsonNode row, boolean latency, String where) throws BenchFile.BadFile {
        if (latency) {
            return BenchFile.number(row, "t_typical", where);
        }
        double millionsPerSecond = BenchFile.number(row, "msg_rate", where);
        if (millionsPerSecond <= 0) {
            throw new BenchFile.BadFile(where + " has no message rate");
        }
        return 1 / millionsPerSecond;
    }
}
