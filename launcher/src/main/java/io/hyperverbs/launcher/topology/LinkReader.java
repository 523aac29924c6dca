package io.hyperverbs.launcher.topology;

import io.hyperverbs.hca.link.LinkSettings;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Reads what a topology says of a link: keys and values are the words of {@link LinkSettings}. */
final class LinkReader {
    private static final String RATE = "rate";
    private static final String SHARE = "for example 0.1%";
    private static final String TIME = "for example 10us";

    private static final Map<String, String> HINTS = Map.of(
            "loss",
            SHARE,
            "duplicate",
            SHARE,
            "corrupt",
            SHARE,
            "reorder",
            SHARE,
            "delay",
            TIME,
            "jitter",
            TIME,
            RATE,
            "for example 10Gbit",
            "queue",
            "for example 256KiB",
            "ecn",
            "for example 64KiB, or 32KiB-128KiB");

    private final String pointer;
    private final QuotaSums.Report report;

    /**
     * @param pointer where the link stands in the file
     */
    LinkReader(String pointer, QuotaSums.Report report) {
        this.pointer = pointer;
        this.report = report;
    }

    /**
     * The settings; those of a link that does what it should after a mistake, which is reported.
     *
     * @param node of a file that keeps to the schema
     */
    LinkSettings settings(JsonNode node) {
        Map<String, String> words = new LinkedHashMap<>();
        boolean valid = true;
        for (Map.Entry<String, JsonNode> entry : node.properties()) {
            words.put(entry.getKey(), entry.getValue().asString());
            valid &= check(entry.getKey(), entry.getValue().asString());
        }
        if (!valid) {
            return LinkSettings.none();
        }
        try {
            return LinkSettings.none().with(words);
        } catch (IllegalArgumentException e) {
            report.problem(pointer, message(e), words.containsKey(RATE) ? "" : "add a rate, for example 10Gbit");
            return LinkSettings.none();
        }
    }

    /** Each by itself, so that its mistake is reported with its line. */
    private boolean check(String key, String value) {
        boolean isOfQueue = key.equals("queue") || key.equals("ecn");
        try {
            LinkSettings _ =
                    LinkSettings.none().with(isOfQueue ? Map.of(RATE, "1bit", key, value) : Map.of(key, value));
            return true;
        } catch (IllegalArgumentException e) {
            report.problem(YamlTree.child(pointer, key), message(e), HINTS.getOrDefault(key, ""));
            return false;
        }
    }

    private static String message(IllegalArgumentException e) {
        return String.valueOf(e.getMessage());
    }
}
