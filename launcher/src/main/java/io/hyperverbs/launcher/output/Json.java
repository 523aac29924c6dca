package io.hyperverbs.launcher.output;

import io.hyperverbs.vmm.text.VisibleText;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
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
        return escaped(PLAIN.writeValueAsString(node));
    }

    public static String pretty(JsonNode node) {
        return escaped(INDENTED.writeValueAsString(node));
    }

    /**
     * JSON may hold DEL, C1 and bidirectional controls as they are; a terminal must not. They stand
     * in strings alone, so their escapes are the same JSON.
     */
    private static String escaped(String json) {
        if (json.codePoints().noneMatch(Json::mustEscape)) {
            return json;
        }
        StringBuilder text = new StringBuilder();
        json.codePoints().forEach(c -> {
            if (mustEscape(c)) {
                text.append(String.format(Locale.ROOT, "\\u%04x", c));
            } else {
                text.appendCodePoint(c);
            }
        });
        return text.toString();
    }

    private static boolean mustEscape(int codePoint) {
        return codePoint >= 0x7f && VisibleText.isHidden(codePoint);
    }

    /**
     * {@code name} as a key that needs no quotes in jq, Python attributes or shells: everything but
     * letters, digits and {@code _} becomes {@code _}.
     */
    public static String key(String name) {
        return name.replaceAll("[^A-Za-z0-9_]", "_");
    }

    /**
     * {@code object} with plain keys, and after its schema when it was made (ISO 8601) and by which
     * command line.
     */
    public static ObjectNode stamped(ObjectNode object, String date, String commandLine) {
        ObjectNode stamped = PLAIN.createObjectNode();
        for (Map.Entry<String, JsonNode> entry : object.properties()) {
            stamped.set(key(entry.getKey()), plainKeys(entry.getValue()));
            if (entry.getKey().equals("schema")) {
                stamped.put("date", date).put("command", commandLine);
            }
        }
        return stamped;
    }

    /** The same object with such keys, at every depth. */
    public static JsonNode plainKeys(JsonNode node) {
        if (node.isObject()) {
            ObjectNode plain = PLAIN.createObjectNode();
            node.properties().forEach(entry -> plain.set(key(entry.getKey()), plainKeys(entry.getValue())));
            return plain;
        }
        if (node.isArray()) {
            ArrayNode plain = PLAIN.createArrayNode();
            node.forEach(item -> plain.add(plainKeys(item)));
            return plain;
        }
        return node;
    }

    public static JsonNode parse(String text) {
        return PLAIN.readTree(text);
    }
}
