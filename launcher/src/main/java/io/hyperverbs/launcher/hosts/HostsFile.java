package io.hyperverbs.launcher.hosts;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.MachineFolder;
import io.hyperverbs.launcher.machine.VmmIdentity;
import io.hyperverbs.launcher.node.NodeTls;
import io.hyperverbs.launcher.output.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What the operator keeps of a topology over several hosts, in a file of its state folder that nobody else may read: where
 * its hosts are, and the key by which they know the operator.
 *
 * @param launcher what it was started by
 * @param authority the topology's, PEM
 */
public record HostsFile(
        String topology, Launcher launcher, List<HostPlace> hosts, String authority, NodeTls.Identity operator) {
    private static final String SCHEMA = "hv.hosts/1";

    public HostsFile {
        hosts = List.copyOf(hosts);
    }

    /** Writes it; whoever looks sees all of it or none. */
    void write(MachineFolder folder) throws IOException {
        ObjectNode file = Json.object().put("schema", SCHEMA);
        file.put("topology", topology).put("launcher", launcher.name());
        ArrayNode array = file.putArray("hosts");
        for (HostPlace host : hosts) {
            ObjectNode one = array.addObject();
            one.put("name", host.name()).put("address", host.address()).put("port", host.port());
            host.process()
                    .ifPresent(process -> one.put("pid", process.pid()).put("started", process.startedEpochMillis()));
            ArrayNode domains = one.putArray("domains");
            host.domains().forEach(domains::add);
        }
        file.put("authority", authority);
        file.put("certificate", operator.certificate()).put("key", operator.key());
        Path place = folder.hosts();
        Path draft = Files.createFile(
                place.resolveSibling("hosts.new"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.write(draft, Json.line(file).getBytes(StandardCharsets.UTF_8));
        Path _ = Files.move(draft, place, StandardCopyOption.ATOMIC_MOVE);
    }

    /**
     * Reads that of a topology.
     *
     * @throws HvException NOT_FOUND if it runs on no hosts; FAILURE if the file is not one
     */
    public static HostsFile read(MachineFolder folder) throws HvException {
        try {
            JsonNode file = Json.parse(Files.readString(folder.hosts()));
            List<HostPlace> hosts = new ArrayList<>();
            for (JsonNode one : file.get("hosts")) {
                List<String> domains = new ArrayList<>();
                one.get("domains").forEach(domain -> domains.add(domain.asString()));
                hosts.add(new HostPlace(
                        one.get("name").asString(),
                        one.get("address").asString(),
                        one.get("port").asInt(),
                        one.has("pid")
                                ? Optional.of(new VmmIdentity(
                                        one.get("pid").asLong(),
                                        one.get("started").asLong()))
                                : Optional.empty(),
                        domains));
            }
            return new HostsFile(
                    file.get("topology").asString(),
                    Launcher.valueOf(file.get("launcher").asString()),
                    hosts,
                    file.get("authority").asString(),
                    new NodeTls.Identity(
                            file.get("certificate").asString(), file.get("key").asString()));
        } catch (IOException e) {
            throw new HvException(ExitCode.NOT_FOUND, "topology " + folder.name() + " runs on no hosts", "");
        } catch (JacksonException | NullPointerException | IllegalArgumentException e) {
            throw new HvException(
                    ExitCode.FAILURE, "cannot make sense of " + folder.hosts() + ": " + e.getMessage(), "");
        }
    }
}
