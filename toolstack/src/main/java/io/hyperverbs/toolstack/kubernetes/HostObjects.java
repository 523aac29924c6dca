package io.hyperverbs.toolstack.kubernetes;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.SecurityContextBuilder;
import io.hyperverbs.hca.port.Ipv4;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.Installation;
import io.hyperverbs.launcher.machine.MemorySums;
import io.hyperverbs.launcher.topology.HcaSpec;
import io.hyperverbs.launcher.topology.HostSpec;
import io.hyperverbs.launcher.topology.Topology;
import io.hyperverbs.vmm.cores.CorePlacement;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** The Secret and the Pod of one host. */
final class HostObjects {
    /** Where an image has hv, unless the host states another path. */
    static final String HV = "/opt/hyperverbs/hv";

    private static final String BUNDLE = "bundle";
    private static final String BUNDLE_FOLDER = "/etc/hyperverbs";
    private static final String STATE = "state";
    /** For the state folder, whose place follows from no variable then, and what commands make on the way. */
    private static final String STATE_FOLDER = "/tmp";

    /** The API server refuses a larger Secret. */
    private static final int MAX_SECRET_BYTES = 1 << 20;

    private static final int OWNER_READS = 0400;

    /** Nobody's in an image, so that no file of it is the guests'. */
    private static final long USER = 65532;

    private static final int GRACE_SECONDS = 60;
    private static final int PROBE_SECONDS = 5;

    private static final long MEBIBYTE = 1L << 20;
    /** The node's JVM, and those of commands that the operator has run. */
    private static final long NODE_MEBIBYTES = 512;
    /** A journal of 64 MiB at most, its next segments and the logs. */
    private static final long STATE_MEBIBYTES_PER_HCA = 128;

    private static final int MILLICORES_OF_ENGINE = 1000;
    private static final int MILLICORES_OF_SHARED_ENGINE = 500;

    private final Topology topology;
    private final HostSpec host;
    private final PodSettings settings;
    private final Topology part;
    private final String name;

    HostObjects(Topology topology, HostSpec host, PodSettings settings) throws HvException {
        this.topology = topology;
        this.host = host;
        this.settings = settings;
        this.part = topology.part(host.name());
        this.name = KubernetesNames.ofHost(topology.name(), host);
    }

    /**
     * Both, the Secret first.
     *
     * @param bundle see {@code hv node --bundle}
     * @throws HvException INVALID_TOPOLOGY for a name that Kubernetes does not take; FAILURE if the bundle does not fit
     */
    List<HasMetadata> objects(byte[] bundle, Installation installation) throws HvException {
        if (bundle.length >= MAX_SECRET_BYTES) {
            throw new HvException(
                    ExitCode.FAILURE,
                    "host " + host.name() + ": topology and programs are " + bundle.length
                            + " bytes, and a Secret has to stay below " + MAX_SECRET_BYTES,
                    "leave large programs out and run them by hv run --in");
        }
        return List.of(secret(bundle), pod(MemorySums.of(installation, part).bytes()));
    }

    private ObjectMeta metadata() {
        return new ObjectMetaBuilder()
                .withName(name)
                .withNamespace(settings.namespace().isEmpty() ? null : settings.namespace())
                .addToLabels("app.kubernetes.io/name", "hyperverbs")
                .addToLabels("hyperverbs/topology", topology.name())
                .addToLabels("hyperverbs/host", host.name())
                .build();
    }

    private Secret secret(byte[] bundle) {
        return new SecretBuilder()
                .withMetadata(metadata())
                .withType("Opaque")
                .withImmutable(true)
                .addToData(BUNDLE, Base64.getEncoder().encodeToString(bundle))
                .build();
    }

    private Pod pod(long machineBytes) throws HvException {
        return new PodBuilder()
                .withMetadata(metadata())
                .withNewSpec()
                .withRestartPolicy("Never")
                .withHostNetwork(true)
                .withNodeSelector(Map.of("kubernetes.io/hostname", KubernetesNames.node(host)))
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false)
                // The pause container reaps what loses its parent.
                .withShareProcessNamespace(true)
                .withTerminationGracePeriodSeconds((long) GRACE_SECONDS)
                .withNewSecurityContext()
                .withRunAsNonRoot(true)
                .withRunAsUser(USER)
                .withRunAsGroup(USER)
                .withFsGroup(USER)
                .withNewSeccompProfile()
                .withType("RuntimeDefault")
                .endSeccompProfile()
                .endSecurityContext()
                .withContainers(container(machineBytes))
                .addNewVolume()
                .withName(BUNDLE)
                .withNewSecret()
                .withSecretName(name)
                .withDefaultMode(OWNER_READS)
                .endSecret()
                .endVolume()
                .addNewVolume()
                .withName(STATE)
                .withNewEmptyDir()
                .withMedium("Memory")
                .withSizeLimit(mebibytes(stateMebibytes()))
                .endEmptyDir()
                .endVolume()
                .endSpec()
                .build();
    }

    private Container container(long machineBytes) {
        return new ContainerBuilder()
                .withName("node")
                .withImage(settings.image())
                .withCommand(host.hv().isEmpty() ? HV : host.hv(), "node")
                .withArgs("--bundle", BUNDLE_FOLDER + "/" + BUNDLE, "--port", Integer.toString(settings.port()))
                .addNewPort()
                .withName("operator")
                .withContainerPort(settings.port())
                .withHostPort(settings.port())
                // Two hosts may be two addresses of one node.
                .withHostIP(Ipv4.text(host.address()))
                .endPort()
                .withResources(resources(machineBytes))
                .withSecurityContext(confinement())
                .withNewReadinessProbe()
                .withNewTcpSocket()
                // Not the node's first address, which a kubelet would take.
                .withHost(Ipv4.text(host.address()))
                .withNewPort(settings.port())
                .endTcpSocket()
                .withPeriodSeconds(PROBE_SECONDS)
                .endReadinessProbe()
                .addNewVolumeMount()
                .withName(BUNDLE)
                .withMountPath(BUNDLE_FOLDER)
                .withReadOnly(true)
                .endVolumeMount()
                .addNewVolumeMount()
                .withName(STATE)
                .withMountPath(STATE_FOLDER)
                .endVolumeMount()
                .build();
    }

    /** What the guests' sandbox of files and system calls needs, which is nothing. */
    private static SecurityContext confinement() {
        return new SecurityContextBuilder()
                .withAllowPrivilegeEscalation(false)
                .withPrivileged(false)
                .withReadOnlyRootFilesystem(true)
                .withNewCapabilities()
                .addToDrop("ALL")
                .endCapabilities()
                .build();
    }

    /** No limit of processor time: an engine that is stopped for a while is a card that stands still. */
    private ResourceRequirements resources(long machineBytes) {
        int millicores = part.hcas().stream().mapToInt(HostObjects::millicores).sum();
        long asked = Math.ceilDiv(machineBytes, MEBIBYTE) + NODE_MEBIBYTES;
        return new ResourceRequirementsBuilder()
                .addToRequests("cpu", new Quantity(millicores + "m"))
                .addToRequests("memory", mebibytes(asked))
                .addToLimits("memory", mebibytes(asked + stateMebibytes()))
                .build();
    }

    private static int millicores(HcaSpec hca) {
        return hca.core() == CorePlacement.DEDICATED ? MILLICORES_OF_ENGINE : MILLICORES_OF_SHARED_ENGINE;
    }

    private long stateMebibytes() {
        return part.hcas().size() * STATE_MEBIBYTES_PER_HCA;
    }

    private static Quantity mebibytes(long number) {
        return new Quantity(number + "Mi");
    }
}
