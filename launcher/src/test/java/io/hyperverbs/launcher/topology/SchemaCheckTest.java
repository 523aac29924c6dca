package io.hyperverbs.launcher.topology;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.hyperverbs.launcher.output.Json;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class SchemaCheckTest {
    private final JsonNode schema = Json.parse(SchemaCheck.schemaText());

    @Test
    void isItselfASchema() {
        var meta = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(SchemaLocation.of("https://json-schema.org/draft/2020-12/schema"));

        assertThat(meta.validate(schema)).isEmpty();
    }

    @Test
    void refusesUnknownKeysInEveryMapping() {
        assertThat(open(schema, "")).containsExactly("/properties/checks/items/properties/bench");
    }

    /** Pointers of object types that take any key. */
    private static java.util.List<String> open(JsonNode node, String pointer) {
        java.util.List<String> found = new java.util.ArrayList<>();
        boolean object = node.path("type").toString().contains("object");
        if (object && !node.has("additionalProperties")) {
            found.add(pointer);
        }
        node.properties().forEach(entry -> found.addAll(open(entry.getValue(), pointer + "/" + entry.getKey())));
        return found;
    }

    @Test
    void defaultsAreTheOnesInUse() {
        JsonNode limits = schema.at("/properties/hca/properties/limits/properties");

        assertThat(limits.at("/max-qp/default").asInt())
                .isEqualTo(HcaSpec.standard().limits().maxQp());
        assertThat(limits.at("/max-cq/default").asInt())
                .isEqualTo(HcaSpec.standard().limits().maxCq());
        assertThat(limits.at("/max-mr/default").asInt())
                .isEqualTo(HcaSpec.standard().limits().maxMr());
        assertThat(limits.at("/max-pd/default").asInt())
                .isEqualTo(HcaSpec.standard().limits().maxPd());
        assertThat(schema.at("/properties/hca/properties/mtu/default").asInt())
                .isEqualTo(HcaSpec.standard().ports().mtuBytes());
        assertThat(Units.bytes(
                        schema.at("/$defs/guest/properties/memory/default").asString()))
                .isEqualTo(Guest.STANDARD_MEMORY_BYTES);
    }
}
