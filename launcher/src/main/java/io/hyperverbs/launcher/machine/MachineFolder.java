package io.hyperverbs.launcher.machine;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.vmm.envelope.LeftGroups;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The state folder of one topology.
 *
 * @param name of the topology
 */
public record MachineFolder(String name, Path path) {
    private static final String JOURNAL = "journal";

    /** What fits into a socket address, without the zero at its end. */
    public static final int MAX_SOCKET_PATH_BYTES = 107;

    public Path vmmSocket() {
        return path.resolve("vmm.sock");
    }

    public Path pidFile() {
        return path.resolve("vmm.pid");
    }

    /**
     * Lets commands that name no topology take this machine. Others belong to the command that
     * started them: who runs a program must not end up in a measurement or beside an attack.
     */
    public void offer() throws IOException {
        Files.writeString(offered(), "");
    }

    /** Whether {@code hv up} started it. */
    public boolean isOffered() {
        return Files.exists(offered());
    }

    private Path offered() {
        return path.resolve("offered");
    }

    /** What its operator keeps of a topology that runs on several hosts. */
    public Path hosts() {
        return path.resolve("hosts.json");
    }

    /** Whether a topology of that name runs on several hosts, with its operator here. */
    public boolean isHosted() {
        return Files.isRegularFile(hosts());
    }

    public Path vmmLog() {
        return path.resolve("logs").resolve("vmm.log");
    }

    public Path log(String domain) {
        return path.resolve("logs").resolve(domain + ".log");
    }

    /** The folder that only that domain sees. */
    public Path domain(String domain) {
        return path.resolve("domains").resolve(domain);
    }

    /** Programs for a domain, put there by the toolstack. */
    public Path app(String domain) {
        return domain(domain).resolve("app");
    }

    /** Locked by who takes the number of a program to be started in a guest that is there. */
    public Path numbersLock() {
        return path.resolve("exec.lock");
    }

    public Path verbsLog(String domain) {
        return path.resolve("logs").resolve("verbs").resolve(domain + ".log");
    }

    /**
     * Folders in which device domains keep their journals, by name of the HCA: of several each in its own folder, of
     * one in that of the topology, with an empty name.
     */
    public Map<String, Path> journals() throws IOException {
        Map<String, Path> journals = new TreeMap<>();
        Path domains = path.resolve("domains");
        if (Files.isDirectory(domains)) {
            try (Stream<Path> all = Files.list(domains)) {
                all.filter(domain -> Files.isDirectory(domain.resolve(JOURNAL)))
                        .forEach(domain -> journals.put(domain.getFileName().toString(), domain));
            }
        }
        return journals.isEmpty() ? Map.of("", path) : journals;
    }

    /**
     * Refuses names for which a socket would not fit.
     *
     * @throws HvException FAILURE with the path and its length
     */
    public void checkSocketPaths(List<String> domains) throws HvException {
        for (String domain : domains) {
            Path longest = domain(domain).resolve("hypercall.sock");
            int bytes = longest.toString().getBytes(StandardCharsets.UTF_8).length;
            if (bytes > MAX_SOCKET_PATH_BYTES) {
                throw new HvException(
                        ExitCode.FAILURE,
                        "socket path of "
                                + bytes
                                + " bytes, at most "
                                + MAX_SOCKET_PATH_BYTES
                                + " are possible: "
                                + longest,
                        "set XDG_RUNTIME_DIR to a shorter folder or shorten the names");
            }
        }
    }

    /** The VMM's process, if it lives. */
    public Optional<ProcessHandle> vmm() throws IOException {
        return VmmIdentity.read(pidFile()).flatMap(VmmIdentity::process);
    }

    /** Removes the folder with all in it; links are removed, not followed. */
    public void delete() throws IOException {
        if (!Files.exists(path)) {
            return;
        }
        LeftGroups.remove(path);
        List<Path> all;
        try (Stream<Path> walk = Files.walk(path)) {
            all = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path one : all) {
            Files.deleteIfExists(one);
        }
    }
}
