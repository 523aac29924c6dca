package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.output.Format;
import io.hyperverbs.launcher.output.Json;
import io.hyperverbs.toolstack.cli.CommandContext;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What hosts printed, put together in one format: text one after the other, rows with the name of their host. */
final class HostAnswers {
    private static final String HOST = "host";

    private final Format format;
    private final StringBuilder text = new StringBuilder();
    private final ObjectNode object = Json.object();

    HostAnswers(Format format) {
        this.format = format;
    }

    /** Adds what a host printed, if it printed anything. */
    void add(String host, String printed) {
        if (printed.isBlank()) {
            return;
        }
        switch (format) {
            case TABLE -> text.append(printed);
            case CSV -> addRows(host, printed);
            case JSON -> merge(host, Json.parse(printed));
            case JSONL ->
                printed.lines()
                        .forEach(line -> text.append(Json.line(((ObjectNode) Json.parse(line)).put(HOST, host)))
                                .append('\n'));
        }
    }

    /** The header once, and a first column for the host. */
    private void addRows(String host, String printed) {
        boolean first = text.isEmpty();
        int number = 0;
        for (String line : printed.lines().toList()) {
            if (number > 0 || first) {
                text.append(number == 0 ? HOST : host).append(',').append(line).append('\n');
            }
            number++;
        }
    }

    private void merge(String host, JsonNode printed) {
        for (Map.Entry<String, JsonNode> entry : printed.properties()) {
            if (entry.getValue() instanceof ArrayNode rows) {
                ArrayNode all = object.withArray(entry.getKey());
                for (JsonNode row : rows) {
                    all.add(row instanceof ObjectNode one ? one.put(HOST, host) : row);
                }
            } else if (!object.has(entry.getKey())) {
                object.set(entry.getKey(), entry.getValue());
            }
        }
    }

    void print(CommandContext context) {
        if (format != Format.JSON) {
            context.text(text.toString());
            return;
        }
        // This command line and date are put in instead of a host's.
        object.remove("date");
        object.remove("command");
        if (!object.isEmpty()) {
            context.print(object);
        }
    }
}
