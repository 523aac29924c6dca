package io.hyperverbs.lab.run.threats;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Reads the list of threats. Callable from any thread. */
public final class Threats {
    private static final YAMLMapper YAML = YAMLMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private static final List<Chapter> CHAPTERS = List.of(
            chapter("A", "Work queues and rings in shared memory", "queues"),
            chapter("B", "Keys, ranges, protection", "keys"),
            chapter("C", "Doorbells and completion queues", "doorbells"),
            chapter("D", "Connections and peers", "peers"),
            chapter("E", "Control channel and handles", "channel"),
            chapter("F", "Processes and the operating system", "process"),
            chapter("G", "The backend's reliability, journal, migration", "reliability"),
            chapter("H", "Performance of others", "performance"),
            chapter("M", "What a domain takes of the computer", "envelope"),
            chapter("N", "The wire, several hosts, captures", "wire"));

    /** Rows of one letter. */
    public record Chapter(String letter, String title, SequencedMap<String, Threat> rows) {}

    private Threats() {}

    /** All chapters in the order of their letters. */
    public static List<Chapter> chapters() {
        return CHAPTERS;
    }

    /** All rows by their number, such as {@code A4}. */
    public static SequencedMap<String, Threat> rows() {
        SequencedMap<String, Threat> rows = new LinkedHashMap<>();
        chapters().forEach(chapter -> rows.putAll(chapter.rows()));
        return rows;
    }

    /** Whether there is a row of that number. */
    public static boolean has(String row) {
        return rows().containsKey(row);
    }

    /** Published bugs of other implementations: pack, item, what would fail here. */
    public static Map<String, Map<String, List<String>>> packs() {
        return read("packs", new TypeReference<Map<String, Map<String, List<String>>>>() {});
    }

    private static Chapter chapter(String letter, String title, String file) {
        return new Chapter(letter, title, new LinkedHashMap<>(read(file, new TypeReference<Map<String, Threat>>() {})));
    }

    private static <T> T read(String file, TypeReference<T> type) {
        try (InputStream text = Threats.class.getResourceAsStream(file + ".yaml")) {
            if (text == null) {
                throw new IllegalStateException("no list of threats " + file);
            }
            return YAML.readValue(text, type);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
