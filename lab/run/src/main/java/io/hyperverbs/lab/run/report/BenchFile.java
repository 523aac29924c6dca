package io.hyperverbs.lab.run.report;

import io.hyperverbs.lab.run.bench.BenchResult;
import io.hyperverbs.lab.run.bench.HopState;
import io.hyperverbs.lab.run.bench.Standing;
import io.hyperverbs.launcher.output.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** The rows of an earlier run that others are compared with: of a {@code bench.json}, as {@link BenchJson} writes it, or of
 * a {@link PerfFile}. Immutable. */
public final class BenchFile {
    private static final String SCHEMA = "hv.bench/1";

    /** What a row is about. */
    record Key(String verb, int sizeBytes, String path) {}

    /**
     * A row.
     *
     * @param median in microseconds
     * @param spread of the rounds' medians, in microseconds
     * @param standing whether the median is a result
     */
    record Line(double median, double spread, HopState hop, Standing standing) {}

    /** A file that is none of ours; the message says what is wrong. */
    public static final class BadFile extends Exception {
        private static final long serialVersionUID = 1L;

        BadFile(String message) {
            super(message);
        }
    }

    /** Makes sense of a file. */
    interface Rows {
        BenchFile of(JsonNode object) throws BadFile;
    }

    private final Map<Key, Line> lines;
    private final String options;
    private final String computer;

    private BenchFile(Map<Key, Line> lines, String options, String computer) {
        this.lines = lines;
        this.options = options;
        this.computer = computer;
    }

    /** Reads a file of {@code hv bench}. */
    public static BenchFile read(Path file) throws BadFile {
        return read(file, BenchFile::of);
    }

    static BenchFile read(Path file, Rows rows) throws BadFile {
        try {
            return rows.of(Json.parse(Files.readString(file)));
        } catch (NoSuchFileException e) {
            throw new BadFile("is not there");
        } catch (IOException e) {
            throw new BadFile("cannot be read: " + e.getClass().getSimpleName());
        } catch (JacksonException e) {
            throw new BadFile("is no JSON: " + e.getOriginalMessage());
        }
    }

    /** The rows of a result that is not in a file. */
    public static BenchFile of(BenchResult result, String sandboxTier) {
        try {
            return of(BenchJson.of(result, sandboxTier));
        } catch (BadFile e) {
            throw new IllegalStateException("of a result of ours", e);
        }
    }

    /** The rows of such an object. */
    static BenchFile of(JsonNode object) throws BadFile {
        check(object, SCHEMA);
        Map<Key, Line> lines = new LinkedHashMap<>();
        for (JsonNode row : object.path("rows")) {
            String where = "row " + (lines.size() + 1);
            Key key = new Key(word(row, "verb", where), (int) number(row, "size", where), word(row, "path", where));
            lines.put(key, line(object, row, key, where));
        }
        return of(lines, "", object);
    }

    /** Refuses objects of other schemas. */
    static void check(JsonNode object, String wanted) throws BadFile {
        String schema = object.path("schema").asString("");
        if (!schema.equals(wanted)) {
            throw new BadFile(
                    schema.isEmpty() ? "has no schema, must be " + wanted : "is " + schema + ", must be " + wanted);
        }
    }

    /** Those lines, and the computer that the object names. */
    static BenchFile of(Map<Key, Line> lines, String options, JsonNode object) throws BadFile {
        if (lines.isEmpty()) {
            throw new BadFile("has no rows");
        }
        JsonNode environment = object.path("environment");
        String computer = String.format(
                Locale.ROOT,
                "%s cores (%s), %s, %s, commit %s",
                environment.path("cores").asInt(0),
                environment.path("cpu").asString("unknown"),
                environment.path("jdk").asString("unknown"),
                environment.path("kernel").asString("unknown"),
                environment.path("commit").asString("unknown"));
        return new BenchFile(lines, options, computer);
    }

    private static Line line(JsonNode object, JsonNode row, Key key, String where) throws BadFile {
        double median = number(row, "p50", where);
        double spread = number(row, "p50_spread", where);
        HopState hop = hop(word(row, "hop_state", where), where);
        boolean good = hop.isKnown() && !isDisturbed(object, key);
        return new Line(median, spread, hop, Standing.of(good, (int) number(row, "rounds", where), median, spread));
    }

    /** Ratios of a cell all say so if its rounds were disturbed. */
    private static boolean isDisturbed(JsonNode object, Key key) {
        for (JsonNode ratio : object.path("ratios")) {
            boolean same = ratio.path("verb").asString("").equals(key.verb)
                    && ratio.path("size").asInt(-1) == key.sizeBytes;
            if (same
                    && ratio.properties().stream()
                            .anyMatch(entry -> entry.getKey().endsWith("_standing")
                                    && entry.getValue().asString("").equals(Standing.DISTURBED.word()))) {
                return true;
            }
        }
        return false;
    }

    static HopState hop(String word, String where) throws BadFile {
        for (HopState state : HopState.values()) {
            if (state.word().equals(word)) {
                return state;
            }
        }
        throw new BadFile(where + " has no hop state '" + word + "'");
    }

    static String word(JsonNode row, String key, String where) throws BadFile {
        JsonNode value = row.path(key);
        if (!value.isString()) {
            throw new BadFile(where + " has no word '" + key + "'");
        }
        return value.asString();
    }

    static double number(JsonNode row, String key, String where) throws BadFile {
        JsonNode value = row.path(key);
        if (!value.isNumber()) {
            throw new BadFile(where + " has no number '" + key + "'");
        }
        return value.asDouble();
    }

    /** In the order of the file. */
    Map<Key, Line> lines() {
        return lines;
    }

    /** How its rows were measured, where that differs: those of other options are not compared. */
    public String options() {
        return options;
    }

    /** The computer and the sources, for people. */
    String computer() {
        return computer;
    }
}
