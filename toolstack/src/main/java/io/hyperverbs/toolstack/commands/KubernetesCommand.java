package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.hosts.HostsExport;
import io.hyperverbs.launcher.machine.Installation;
import io.hyperverbs.launcher.machine.WorkFolder;
import io.hyperverbs.launcher.topology.Topology;
import io.hyperverbs.toolstack.cli.CommandContext;
import io.hyperverbs.toolstack.kubernetes.KubernetesNames;
import io.hyperverbs.toolstack.kubernetes.Manifest;
import io.hyperverbs.toolstack.kubernetes.PodSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code hv export kubernetes}. */
@Command(
        name = "kubernetes",
        description = {
            "Writes a Secret and a Pod for each host of a topology, and keeps the operator's key here: once kubectl"
                    + " create has made the objects, ps, logs, inspect, run --in, bench and down work as after hv up.",
            "A host's target is its node's label kubernetes.io/hostname. docs/hosts.md has the rest."
        },
        footer = {
            "  hv -t rack.hv.yaml export kubernetes --image hyperverbs:0.1.0 -o rack.yaml",
            "  kubectl create -f rack.yaml && hv ps"
        })
public final class KubernetesCommand extends HvCommand {
    private static final int MAX_PORT = 65535;

    /** Beside that of RoCEv2, which is UDP. */
    private static final String STANDARD_PORT = "4790";

    @Option(
            names = "--image",
            paramLabel = "IMAGE",
            required = true,
            description = "Container image with hv and a JDK; hv is /opt/hyperverbs/hv there, or where the host says.")
    String image = "";

    @Option(
            names = "--namespace",
            paramLabel = "NS",
            description = "Namespace of the objects (default: kubectl's own).")
    String namespace = "";

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = STANDARD_PORT,
            description = "TCP port that each host answers the operator at (default: " + STANDARD_PORT + ").")
    int port;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Write there, for you alone to read (default: standard output).")
    @Nullable
    String output;

    @Mixin
    LaunchOptions launch = new LaunchOptions();

    public KubernetesCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws HvException, IOException, InterruptedException {
        PodSettings settings = settings();
        Machines machines = new Machines(context());
        Topology topology = machines.topology();
        topology.warnings().forEach(context()::note);
        if (!topology.isHosted()) {
            throw new HvException(
                    ExitCode.USAGE, topology.name() + " is on no hosts", "add hosts: with the nodes' addresses");
        }
        Installation installation = Installation.current();
        try (WorkFolder work = WorkFolder.make()) {
            new HostsExport(machines.root())
                    .export(
                            topology,
                            topology.name(),
                            Launch.programs(installation, work, topology, machines.topologyFolder()),
                            Launch.mode(context(), true, launch),
                            port,
                            bundles -> put(Manifest.text(topology, bundles, settings, installation)));
        }
        int hosts = topology.hosts().all().size();
        context()
                .note((output == null ? "the output" : output) + " holds the keys of "
                        + (hosts == 1 ? "1 host" : hosts + " hosts") + "; kubectl create -f "
                        + (output == null ? "FILE" : output) + " starts " + topology.name());
        return ExitCode.OK.number();
    }

    private PodSettings settings() throws HvException {
        if (image.isBlank() || !image.equals(image.strip())) {
            throw new HvException(ExitCode.USAGE, "--image '" + image + "' names no image", "as in registry/name:tag");
        }
        if (port < 1 || port > MAX_PORT) {
            throw new HvException(ExitCode.USAGE, "--port " + port + ", must be 1 to " + MAX_PORT, "");
        }
        if (!namespace.isEmpty()) {
            String _ = KubernetesNames.label("--namespace", namespace, ExitCode.USAGE);
        }
        return new PodSettings(image, namespace, port);
    }

    private void put(String manifest) throws HvException {
        if (output == null) {
            context().text(manifest);
            return;
        }
        Path file = context().path(output);
        Path folder = file.getParent();
        if (folder == null || !Files.isDirectory(folder) || Files.isDirectory(file)) {
            throw new HvException(ExitCode.FAILURE, "cannot write " + output + ": no such folder, or it is one", "");
        }
        Path draft = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.deleteIfExists(draft);
            Path _ = Files.createFile(
                    draft, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(draft, manifest);
            Path _ = Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new HvException(ExitCode.FAILURE, "cannot write " + output + ": " + ReportPlace.why(e), "");
        }
    }
}
