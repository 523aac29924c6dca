package io.hyperverbs.launcher.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.session.Quota;
import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.launcher.output.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** docs/topology.md has every key of the schema, with the defaults in use and examples that are valid. */
class TopologyPageTest {
    private static final Path PAGE = Path.of("").toAbsolutePath().resolveSibling("docs/topology.md");
    private static final Pattern EXAMPLE = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

    /** Where the keys of a section stand in a file. */
    private static final Map<String, String> PREFIXES = Map.of(
            "A guest", "guests.NAME.",
            "A host", "hosts.NAME.",
            "Quotas of a guest", "guests.NAME.",
            "A link", "links.NAME.",
            "Faults by time", "faults.",
            "Checks", "checks.");

    private final JsonNode schema = Json.parse(SchemaCheck.schemaText());
    private final Map<String, List<String>> rows = new LinkedHashMap<>();
    private String page = "";

    @BeforeEach
    void read() throws IOException {
        page = Files.readString(PAGE);
        String section = "";
        for (String line : page.lines().toList()) {
            if (line.startsWith("## ")) {
                section = line.substring(3);
            } else if (line.startsWith("| `")) {
                List<String> cells = Arrays.stream(line.substring(1).split("\\|", -1))
                        .map(String::strip)
                        .toList();
                rows.put(path(section, cells.getFirst().replace("`", "")), cells);
            }
        }
    }

    private static String path(String section, String key) {
        boolean isQuota = section.equals("Quotas of a guest") && !key.equals("quota");
        return PREFIXES.getOrDefault(section, "") + (isQuota ? "quota." : "") + key;
    }

    @Test
    void hasEveryKeyOfTheSchemaAndNoOther() {
        assertThat(rows.keySet()).containsExactlyInAnyOrderElementsOf(keys().keySet());
    }

    @Test
    void defaultsAreThoseOfTheSchema() {
        Map<String, JsonNode> keys = keys();
        rows.forEach((key, cells) -> {
            JsonNode standard = keys.get(key).path("default");
            if (!standard.isMissingNode()) {
                String expected =
                        standard.isArray() ? "[" + String.join(", ", texts(standard)) + "]" : standard.asString();
                assertThat(cells.get(2)).as(key).isEqualTo("`" + expected + "`");
            }
        });
    }

    @Test
    void defaultsOfQuotasAreThoseInUse() {
        Quota standard = Guest.named("any").allQuotas();
        rows.forEach((key, cells) -> quotaKind(key).ifPresent(kind -> {
            Matcher stated = Pattern.compile("`([0-9]+(?:MiB)?)`.*").matcher(cells.get(2));
            if (stated.matches()) {
                assertThat(Units.bytes(stated.group(1))).as(key).isEqualTo(standard.max(kind));
            }
        }));
    }

    @Test
    void examplesOfKeysAreValid() throws Exception {
        for (Map.Entry<String, List<String>> row : rows.entrySet()) {
            String key = row.getKey();
            String example = row.getValue().get(4).replace("`", "");
            if (key.startsWith("guests.NAME.ip.")) {
                String address = key.endsWith(".address") ? "" : "address: 10.1.0.1/24, ";
                parse("apiVersion: hv/v1\nname: t\nguests:\n  a: { executables: {}, ip: { " + address
                        + key.substring(15) + ": " + example + " } }\n");
            } else if (key.startsWith("guests.NAME.") && !key.startsWith("guests.NAME.app") && !example.isEmpty()) {
                parse("apiVersion: hv/v1\nname: t\nguests:\n  a:" + nested(key.substring(12), example));
            } else if (key.startsWith("hca.") && !example.isEmpty()) {
                parse("apiVersion: hv/v1\nname: t\nguests: 1\nhca:" + nested(key.substring(4), example));
            } else if (key.startsWith("links.NAME.") && !example.isEmpty()) {
                boolean isOfQueue = key.endsWith(".queue") || key.endsWith(".ecn");
                parse("apiVersion: hv/v1\nname: t\nguests: 1\nhcas: { x: {}, y: {} }\nlinks: { x-y: { "
                        + (isOfQueue ? "rate: 1Gbit, " : "") + key.substring(11) + ": " + example + " } }\n");
            }
        }
    }

    @Test
    void exampleFilesAreValid() throws Exception {
        List<String> examples =
                EXAMPLE.matcher(page).results().map(one -> one.group(1)).toList();

        assertThat(examples).isNotEmpty();
        for (String example : examples) {
            parse(example);
        }
    }

    private static Topology parse(String text) throws Exception {
        return TopologyLoader.parse("topology.md", text, new ExamplePrograms());
    }

    private static String nested(String key, String value) {
        String[] parts = key.split("\\.");
        return " { " + String.join(": { ", parts) + ": " + value + " }".repeat(parts.length) + "\n";
    }

    private static Optional<QuotaKind> quotaKind(String key) {
        for (QuotaKind kind : QuotaKind.values()) {
            if (key.equals("guests.NAME.quota." + kind.key())) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(item -> texts.add(item.asString()));
        return texts;
    }

    /** Schemas of all keys, under names such as {@code hca.limits.max-qp} and {@code guests.NAME.path}. */
    private Map<String, JsonNode> keys() {
        Map<String, JsonNode> keys = new LinkedHashMap<>();
        collect("", schema, keys);
        collect("guests.NAME.", schema.at("/$defs/guest"), keys);
        collect("hosts.NAME.", schema.at("/$defs/host"), keys);
        collect("links.NAME.", schema.at("/$defs/link"), keys);
        return keys;
    }

    private static void collect(String prefix, JsonNode node, Map<String, JsonNode> keys) {
        node.path("properties").properties().forEach(entry -> {
            String key = prefix + entry.getKey();
            keys.put(key, entry.getValue());
            collect(key + ".", entry.getValue(), keys);
            collect(key + ".", entry.getValue().path("items"), keys);
        });
    }
}
