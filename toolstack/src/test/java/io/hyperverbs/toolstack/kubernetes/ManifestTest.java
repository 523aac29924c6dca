package io.hyperverbs.toolstack.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import io.fabric8.kubernetes.api.model.Pod;
import io.hyperverbs.lab.run.LabPrograms;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.Installation;
import io.hyperverbs.launcher.topology.HostSpec;
import io.hyperverbs.launcher.topology.Topology;
import io.hyperverbs.launcher.topology.TopologyLoader;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Secret;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Judged by classes that Kubernetes generates from its published OpenAPI, which share nothing with those that write. */
class ManifestTest {
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final Installation NOWHERE = new Installation(Path.of("none"));
    private static final String TOPOLOGY = """
        apiVersion: hv/v1
        name: rack
        hosts: { n1: { address: 10.9.0.1 }, n2: { address: 10.9.0.2, target: node-2.example.org, hv: /hv/hv } }
        hcas: { hv0: { host: n1 }, hv1: { host: n2 }, hv2: { host: n2, core: shared, address: 10.9.0.3 } }
        guests: { a: { memory: 64MiB }, b: { hca: hv1, memory: 128MiB } }
        """;

    private static Topology topology(String text) throws HvException {
        return TopologyLoader.parse("a test", text, new LabPrograms());
    }

    private static String text(Topology topology, String namespace, byte... bundle) throws HvException {
        Map<HostSpec, byte[]> bundles = new LinkedHashMap<>();
        topology.hosts().all().forEach(host -> bundles.put(host, bundle));
        return Manifest.text(topology, bundles, new PodSettings("registry/hv:1", namespace, 4790), NOWHERE);
    }

    private static List<JsonNode> objects(String manifest) {
        List<JsonNode> objects = new ArrayList<>();
        YAML.readerFor(JsonNode.class).<JsonNode>readValues(manifest).forEachRemaining(objects::add);
        return objects;
    }

    private static List<JsonNode> rack() throws HvException {
        return objects(text(topology(TOPOLOGY), "lab", (byte) 1, (byte) 2, (byte) 0xff));
    }

    private static void judge(JsonNode object) throws IOException {
        JsonElement json = JsonParser.parseString(object.toString());
        switch (object.get("kind").asString()) {
            case "Pod" -> V1Pod.validateJsonElement(json);
            case "Secret" -> V1Secret.validateJsonElement(json);
            default -> throw new AssertionError("a " + object.get("kind"));
        }
    }

    @Test
    void keepsToThePublishedApi() throws Exception {
        List<JsonNode> rack = rack();

        assertThat(rack)
                .extracting(object -> object.get("kind").asString() + " "
                        + object.at("/metadata/name").asString())
                .containsExactly("Secret rack-n1", "Pod rack-n1", "Secret rack-n2", "Pod rack-n2");
        for (JsonNode object : rack) {
            judge(object);
        }
        for (JsonNode object : objects(text(topology(TOPOLOGY), ""))) {
            judge(object);
            assertThat(object.get("metadata").has("namespace")).isFalse();
        }
    }

    /** The judge has to be able to say no. */
    @Test
    void theJudgeRefusesWhatTheApiDoesNotHave() throws Exception {
        for (String place : List.of(
                "",
                "/spec",
                "/spec/containers/0",
                "/spec/containers/0/readinessProbe/tcpSocket",
                "/spec/securityContext/seccompProfile",
                "/spec/volumes/1/emptyDir",
                "/spec/containers/0/resources")) {
            JsonNode pod = rack().get(1);
            judge(pod);
            ((ObjectNode) pod.at(place)).put("surplus", 1);

            assertThatThrownBy(() -> judge(pod)).as(place).hasMessageContaining("surplus");
        }
        JsonNode nameless = rack().get(1);
        ((ObjectNode) nameless.at("/spec/containers/0")).remove("name");
        assertThatThrownBy(() -> judge(nameless)).hasMessageContaining("`name`");
    }

    @Test
    void aPodIsOnItsHostAndConfined() throws HvException {
        JsonNode pod = rack().get(3);

        JsonNode spec = pod.get("spec");
        JsonNode container = spec.at("/containers/0");
        assertThat(pod.at("/metadata/namespace").asString()).isEqualTo("lab");
        assertThat(pod.at("/metadata/labels").toString())
                .isEqualTo("{\"app.kubernetes.io/name\":\"hyperverbs\",\"hyperverbs/topology\":\"rack\","
                        + "\"hyperverbs/host\":\"n2\"}");
        assertThat(spec.at("/nodeSelector/kubernetes.io~1hostname").asString()).isEqualTo("node-2.example.org");
        assertThat(spec.get("hostNetwork").asBoolean()).isTrue();
        assertThat(spec.get("restartPolicy").asString()).isEqualTo("Never");
        assertThat(spec.get("automountServiceAccountToken").asBoolean(true)).isFalse();
        assertThat(spec.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
        assertThat(spec.at("/volumes/0/secret/defaultMode").asInt()).isEqualTo(0400);
        assertThat(spec.at("/volumes/1/emptyDir/medium").asString()).isEqualTo("Memory");
        assertThat(container.get("command").toString()).isEqualTo("[\"/hv/hv\",\"node\"]");
        assertThat(container.at("/readinessProbe/tcpSocket").toString())
                .isEqualTo("{\"host\":\"10.9.0.2\",\"port\":4790}");
        assertThat(container.get("securityContext").toString())
                .contains(
                        "\"allowPrivilegeEscalation\":false", "\"drop\":[\"ALL\"]", "\"readOnlyRootFilesystem\":true");
    }

    /** 64 beside each heap: VMM 128, device domains 512 each, guests 64; 512 for the node, 1 begun by queues; 128 of state an HCA. */
    @Test
    void resourcesFollowFromTheTopology() throws HvException {
        JsonNode first = rack().get(1).at("/spec/containers/0/resources");
        JsonNode second = rack().get(3).at("/spec/containers/0/resources");

        int one = 64 + 128 + 192 + 576 + 512 + 1;
        int two = 128 + 128 + 192 + 2 * 576 + 512 + 1;
        assertThat(first.toString())
                .isEqualTo("{\"limits\":{\"memory\":\"" + (one + 128)
                        + "Mi\"},\"requests\":{\"cpu\":\"1000m\",\"memory\":\"" + one + "Mi\"}}");
        assertThat(second.at("/requests/memory").asString()).isEqualTo(two + "Mi");
        assertThat(second.at("/requests/cpu").asString()).isEqualTo("1500m");
        assertThat(second.at("/limits/memory").asString()).isEqualTo(two + 256 + "Mi");
    }

    @Test
    void aBundleComesBackByteByByte() throws HvException {
        JsonNode secret = rack().get(0);

        assertThat(secret.at("/data/bundle").binaryValue()).containsExactly(1, 2, 0xff);
        assertThat(secret.get("immutable").asBoolean()).isTrue();
        Pod pod = YAML.treeToValue(rack().get(1), Pod.class);
        assertThat(pod.getAdditionalProperties()).isEmpty();
        assertThat(pod.getSpec().getAdditionalProperties()).isEmpty();
    }

    @Test
    void aSecretStaysBelowOneMebibyte() throws HvException {
        String fits = text(topology(TOPOLOGY), "", new byte[(1 << 20) - 1]);

        HvException refused =
                catchThrowableOfType(HvException.class, () -> text(topology(TOPOLOGY), "", new byte[1 << 20]));

        assertThat(fits.split("kind: ", -1)).hasSize(5);
        assertThat(refused.exit()).isEqualTo(ExitCode.FAILURE);
        assertThat(refused).hasMessageContaining("host n1: topology and programs are 1048576 bytes");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "n1: { address: 10.9.0.1, target: me@node } | host n1: target 'me@node' is no value of a label",
                "n1234567890123456789012345678901: { address: 10.9.0.1 } | host n1234567890123456789012345678901",
            })
    void namesHaveToBeThoseOfKubernetes(String host, String part) throws HvException {
        String name = host.replaceFirst(":.*", "");
        String text = "apiVersion: hv/v1\nname: a-topology-with-a-long-name----1\nhosts: { " + host
                + " }\nhcas: { hv0: { host: " + name + " } }\nguests: 1\n";

        HvException refused = catchThrowableOfType(HvException.class, () -> text(topology(text), ""));

        assertThat(refused.exit()).isEqualTo(ExitCode.INVALID_TOPOLOGY);
        assertThat(refused).hasMessageContaining(part);
    }
}
