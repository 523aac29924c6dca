package io.hyperverbs.lab.run.isolate;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import tools.jackson.core.type.TypeReference;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Which counters each attack moves: the judge's own list, beside this class as YAML. */
public final class ExpectedTraces {
    private static final Map<String, List<String>> ALL = read();

    private ExpectedTraces() {}

    /** All that it knows, by the attack's name. */
    public static Map<String, List<String>> all() {
        return ALL;
    }

    /** Counters of which at least one has to grow; empty if nobody can count the attack. */
    static List<String> of(String attack) {
        return ALL.getOrDefault(attack, List.of());
    }

    private static Map<String, List<String>> read() {
        try (InputStream text = ExpectedTraces.class.getResourceAsStream("traces.yaml")) {
            if (text == null) {
                throw new IllegalStateException("no list of traces");
            }
            return new YAMLMapper().readValue(text, new TypeReference<Map<String, List<String>>>() {});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
