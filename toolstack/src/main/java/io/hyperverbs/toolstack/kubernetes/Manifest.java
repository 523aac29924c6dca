package io.hyperverbs.toolstack.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.Installation;
import io.hyperverbs.launcher.topology.HostSpec;
import io.hyperverbs.launcher.topology.Topology;
import java.util.Map;
import tools.jackson.dataformat.yaml.YAMLMapper;
import tools.jackson.dataformat.yaml.YAMLWriteFeature;

/** All objects of a topology, as one text for {@code kubectl}. */
public final class Manifest {
    private static final YAMLMapper YAML =
            YAMLMapper.builder().disable(YAMLWriteFeature.SPLIT_LINES).build();

    private Manifest() {}

    /**
     * YAML with a document for each object: of each host a Secret, then a Pod.
     *
     * @param bundles what {@code hv node --bundle} reads on each host
     * @throws HvException INVALID_TOPOLOGY for names that Kubernetes does not take; FAILURE for a bundle that is too large
     */
    public static String text(
            Topology topology, Map<HostSpec, byte[]> bundles, PodSettings settings, Installation installation)
            throws HvException {
        StringBuilder text = new StringBuilder();
        for (Map.Entry<HostSpec, byte[]> entry : bundles.entrySet()) {
            HostObjects host = new HostObjects(topology, entry.getKey(), settings);
            for (HasMetadata object : host.objects(entry.getValue(), installation)) {
                // With the line that begins a document.
                text.append(YAML.writeValueAsString(object));
            }
        }
        return text.toString();
    }
}
