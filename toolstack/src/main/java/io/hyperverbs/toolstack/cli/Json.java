package io.hyperverbs.toolstack.cli;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** JSON objects to and from text. Thread-safe. */
public final class Json {
    private static final JsonMapper PLAIN = JsonMapper.builder().build();
    private static final JsonMapper INDENTED =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private Json() {}

    public static ObjectNode object() {
        return PLAIN.createObjectNode();
    }

    /** On one line. */
    public static String line(JsonNode node) {
        return PLAIN.writeValueAsString(node);
    }

    public static String pretty(JsonNode node) {
        return INDENTED.writeValueAsString(node);
    }

    public static JsonNode parse(String text) {
        return PLAIN.readTree(text);
    }
}
