package io.hyperverbs.launcher.topology;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.failure.Problem;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * A YAML document as a tree that remembers the line of each key and item, under its JSON pointer
 * such as {@code /guests/a/memory}.
 */
final class YamlTree {
    private static final YAMLMapper YAML = new YAMLMapper();

    /** Before the point, or zeros behind it: a long has that many. */
    private static final int MOST_DIGITS = 18;

    /** Of a number that is none. */
    private static final int MOST_SHOWN = 40;

    private static final Pattern PLACE = Pattern.compile("line ([0-9]{1,9}), column");

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final String file;
    private final Map<String, Integer> lines = new HashMap<>();
    private final JsonNode root;

    private YamlTree(String file, JsonParser parser) throws HvException {
        this.file = file;
        if (parser.nextToken() == null) {
            throw problem(1, "", "the file is empty", "see hv schema, or the files in examples/");
        }
        this.root = node(parser, "");
        if (parser.nextToken() != null) {
            int line = parser.currentTokenLocation().getLineNr();
            throw problem(line, "", "a second document", "a file holds one topology");
        }
    }

    /**
     * Reads {@code text}.
     *
     * @throws HvException INVALID_TOPOLOGY for what is not YAML, and for a key given twice
     */
    static YamlTree read(String file, String text) throws HvException {
        try (JsonParser parser = YAML.createParser(text)) {
            return new YamlTree(file, parser);
        } catch (JacksonException e) {
            TokenStreamLocation location = e.getLocation();
            int line = location == null ? 0 : Math.max(0, location.getLineNr());
            throw new HvException(ExitCode.INVALID_TOPOLOGY, List.of(notYaml(file, line, e.getOriginalMessage())));
        }
    }

    /**
     * The parser says first what it was about and where that began, then what it found and where;
     * the latter is what a user has to change. Its own location is that of the token before.
     */
    private static Problem notYaml(String file, int line, String message) {
        String reason = message.lines().findFirst().orElse("not readable");
        int at = line;
        Matcher places = PLACE.matcher(message);
        while (places.find()) {
            at = Integer.parseInt(places.group(1));
        }
        for (String part : message.lines().toList()) {
            reason = part.startsWith("found ") || part.startsWith("expected ") ? part : reason;
        }
        String hint = message.contains("TAB") ? "indent with spaces" : "";
        return new Problem(file, at, "", "not YAML: " + reason, hint);
    }

    JsonNode root() {
        return root;
    }

    /** The line of what {@code pointer} names, or of the nearest thing around it. */
    int line(String pointer) {
        String at = pointer;
        while (!at.isEmpty()) {
            Integer line = lines.get(at);
            if (line != null) {
                return line;
            }
            at = at.substring(0, at.lastIndexOf('/'));
        }
        return lines.getOrDefault("", 1);
    }

    private JsonNode node(JsonParser parser, String pointer) throws HvException {
        lines.putIfAbsent(pointer, parser.currentTokenLocation().getLineNr());
        return switch (parser.currentToken()) {
            case START_OBJECT -> object(parser, pointer);
            case START_ARRAY -> array(parser, pointer);
            case VALUE_NUMBER_INT -> integer(parser, pointer);
            case VALUE_NUMBER_FLOAT -> decimal(parser, pointer);
            case VALUE_TRUE -> NODES.booleanNode(true);
            case VALUE_FALSE -> NODES.booleanNode(false);
            case VALUE_NULL -> NullNode.getInstance();
            default -> NODES.stringNode(parser.getString());
        };
    }

    private JsonNode integer(JsonParser parser, String pointer) throws HvException {
        try {
            return NODES.numberNode(parser.getBigIntegerValue());
        } catch (JacksonException e) {
            throw noNumber(parser, pointer, " is out of range");
        }
    }

    // YAML has numbers that are none, and numbers that no comparison with a limit takes.
    private JsonNode decimal(JsonParser parser, String pointer) throws HvException {
        String what = " is not a number";
        try {
            BigDecimal number = parser.getDecimalValue();
            if (Math.abs((long) number.precision() - number.scale()) <= MOST_DIGITS) {
                return NODES.numberNode(number);
            }
            what = " is out of range";
        } catch (NumberFormatException | JacksonException e) {
            // Said below: .nan, .inf, an exponent that no decimal has
        }
        throw noNumber(parser, pointer, what);
    }

    private HvException noNumber(JsonParser parser, String pointer, String what) {
        int line = parser.currentTokenLocation().getLineNr();
        String text = parser.getString();
        String shown = text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + " and more";
        return problem(line, dotted(pointer), shown + what, "");
    }

    private ObjectNode object(JsonParser parser, String pointer) throws HvException {
        ObjectNode object = NODES.objectNode();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String key = parser.currentName();
            int line = parser.currentTokenLocation().getLineNr();
            String child = child(pointer, key);
            if (object.has(key)) {
                throw problem(
                        line,
                        dotted(child),
                        "key '" + key + "' is given twice, first in line " + line(child),
                        "remove one");
            }
            lines.put(child, line);
            parser.nextToken();
            object.set(key, node(parser, child));
        }
        return object;
    }

    private ArrayNode array(JsonParser parser, String pointer) throws HvException {
        ArrayNode array = NODES.arrayNode();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            array.add(node(parser, child(pointer, Integer.toString(array.size()))));
        }
        return array;
    }

    private HvException problem(int line, String path, String what, String hint) {
        return new HvException(ExitCode.INVALID_TOPOLOGY, List.of(new Problem(file, line, path, what, hint)));
    }

    static String child(String pointer, String key) {
        return pointer + "/" + key.replace("~", "~0").replace("/", "~1");
    }

    /** {@code guests.a.memory} for {@code /guests/a/memory}. */
    static String dotted(String pointer) {
        return pointer.isEmpty()
                ? ""
                : pointer.substring(1).replace("/", ".").replace("~1", "/").replace("~0", "~");
    }
}
