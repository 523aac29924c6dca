package io.hyperverbs.launcher.topology;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.hyperverbs.launcher.failure.Problem;
import io.hyperverbs.launcher.failure.Suggestion;
import io.hyperverbs.launcher.output.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Checks a topology against the shipped JSON Schema and says what is wrong in our own words. */
public final class SchemaCheck {
    private static final String RESOURCE = "topology.schema.json";

    private final JsonNode schemaDocument = Json.parse(schemaText());
    private final Schema schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(schemaDocument);

    /** The schema as shipped. */
    public static String schemaText() {
        try (InputStream stream = SchemaCheck.class.getResourceAsStream(RESOURCE)) {
            if (stream == null) {
                throw new IllegalStateException("the distribution lacks " + RESOURCE);
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All that is wrong, by line; one problem for each place. */
    List<Problem> check(String file, YamlTree tree) {
        Map<String, Problem> problems = new LinkedHashMap<>();
        for (Error error : schema.validate(tree.root())) {
            Problem problem = problem(file, tree, error);
            problems.putIfAbsent(problem.path(), problem);
        }
        List<Problem> sorted = new ArrayList<>(problems.values());
        sorted.sort(Comparator.comparingInt(Problem::line));
        return sorted;
    }

    private Problem problem(String file, YamlTree tree, Error error) {
        String pointer = error.getInstanceLocation().toString();
        String keyword = error.getKeyword();
        String property = error.getProperty();
        boolean aboutName = error.getEvaluationPath().toString().contains("/propertyNames");
        if (property != null && (aboutName || keyword.equals("additionalProperties"))) {
            pointer = YamlTree.child(pointer, property);
        }
        JsonNode node = tree.root().at(pointer);
        JsonNode rule = rule(error);
        Words words = aboutName
                ? key(pointer, pointer.substring(pointer.lastIndexOf('/') + 1))
                : named(pointer, keyword, words(error, keyword, node, rule));
        return new Problem(file, tree.line(pointer), YamlTree.dotted(pointer), words.what, words.hint);
    }

    private record Words(String what, String hint) {}

    /** A value alone says not whose it is. */
    private static Words named(String pointer, String keyword, Words words) {
        return switch (keyword) {
            case "type", "const", "enum", "minimum", "maximum", "pattern", "not" ->
                new Words(key(pointer) + words.what, words.hint);
            default -> words;
        };
    }

    /** {@code weight: }, {@code pkeys[1]: }, or nothing for the whole document. */
    private static String key(String pointer) {
        String[] parts = YamlTree.dotted(pointer).split("\\.");
        String last = parts[parts.length - 1];
        if (last.isEmpty()) {
            return "";
        }
        boolean item = parts.length > 1 && last.matches("[0-9]+");
        return (item ? parts[parts.length - 2] + "[" + last + "]" : last) + ": ";
    }

    private Words words(Error error, String keyword, JsonNode node, JsonNode rule) {
        String value = node.isString() ? "'" + node.stringValue() + "'" : Json.line(node);
        return switch (keyword) {
            case "additionalProperties" -> unknownKey(error.getProperty(), rule);
            case "required" -> new Words("key '" + error.getProperty() + "' is missing", "");
            case "type" -> new Words(value + " is not " + types(rule.get("type")), "");
            case "const" -> new Words(value + ", must be " + text(rule.get("const")), "");
            case "enum" -> oneOf(value, node, rule.get("enum"));
            case "minimum" -> new Words(value + ", must be at least " + rule.get("minimum"), "");
            case "maximum" -> new Words(value + ", must be at most " + rule.get("maximum"), "");
            case "pattern", "not" -> pattern(node, rule);
            case "minProperties" ->
                new Words(
                        key(error.getInstanceLocation().toString()).equals("hcas: ") ? "no HCA" : "no guest",
                        "name at least one");
            default -> new Words(error.getMessage(), "");
        };
    }

    private static Words unknownKey(@Nullable String key, JsonNode rule) {
        List<String> known = new ArrayList<>(rule.path("properties").propertyNames());
        String word = key == null ? "" : key;
        String hint = Suggestion.hint(word, known);
        return new Words("unknown key '" + word + "'", hint.isEmpty() ? "known: " + String.join(", ", known) : hint);
    }

    private static Words oneOf(String value, JsonNode node, JsonNode allowed) {
        List<String> words = new ArrayList<>();
        allowed.forEach(word -> words.add(text(word)));
        return new Words(
                value + ", must be one of " + String.join(", ", words),
                node.isString() ? Suggestion.hint(node.stringValue(), words) : "");
    }

    private static Words pattern(JsonNode node, JsonNode rule) {
        String word = node.asString();
        return switch (rule.path("title").asString("")) {
            case "size" -> size(word);
            case "name" -> name(word);
            case "device name" -> deviceName(word);
            case "IPv4 address" -> new Words("'" + word + "' is no IPv4 address", "for example 127.10.0.1");
            case "P_Key" -> new Words("'" + word + "' is not a P_Key", "write 0x and up to four hexadecimal digits");
            default -> new Words("'" + word + "' does not match " + text(rule.get("pattern")), "");
        };
    }

    private static Words size(String word) {
        try {
            Units.bytes(word);
            return new Words("'" + word + "' is not a size", "write B, KiB, MiB or GiB after it");
        } catch (IllegalArgumentException e) {
            String binary = word.replaceFirst("(?i)\\s*([kmg])i?b?$", "$1iB");
            String unit = binary.replaceFirst("k(iB)$", "K$1");
            unit = unit.replaceFirst("m(iB)$", "M$1").replaceFirst("g(iB)$", "G$1");
            boolean better = unit.matches("[0-9]+(\\.[0-9]+)? ?(KiB|MiB|GiB)");
            String what = e.getMessage();
            return new Words(
                    what == null ? "'" + word + "' is not a size" : what,
                    better ? "did you mean '" + unit + "'?" : "for example 64MiB");
        }
    }

    /** Of a key that is a name. */
    private static Words key(String pointer, String word) {
        return pointer.startsWith("/hcas/") ? deviceName(word) : name(word);
    }

    private static Words deviceName(String word) {
        return new Words("'" + word + "' is no name of an HCA", "use up to 16 of a-z and 0-9, a letter first");
    }

    private static Words name(String word) {
        return Topology.RESERVED_NAMES.contains(word)
                ? new Words("name '" + word + "' is the machine's own", "choose another")
                : new Words(
                        "name '" + word + "' is not allowed", "use up to 32 of a-z, 0-9 and -, not - at either end");
    }

    private static String types(JsonNode types) {
        List<String> words = new ArrayList<>();
        if (types.isArray()) {
            types.forEach(type -> words.add(type.asString()));
        } else {
            words.add(types.asString());
        }
        words.remove("null");
        return words.stream()
                .map(word -> word.equals("object") ? "a mapping" : article(word))
                .reduce((left, right) -> left + " or " + right)
                .orElse("allowed");
    }

    private static String article(String word) {
        return ("aeiou".indexOf(word.charAt(0)) >= 0 ? "an " : "a ") + word;
    }

    private static String text(@Nullable JsonNode node) {
        return node == null ? "" : node.isString() ? node.stringValue() : node.toString();
    }

    /** The schema object that holds the keyword which failed. */
    private JsonNode rule(Error error) {
        String pointer = error.getSchemaLocation().getFragment().toString();
        int last = pointer.lastIndexOf('/');
        return schemaDocument.at(last <= 0 ? "" : pointer.substring(0, last));
    }
}
