package io.hyperverbs.launcher.machine;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Folder of all topologies of this user: {@code ${XDG_RUNTIME_DIR:-/tmp}/hyperverbs-<user>}, closed
 * to others.
 */
public record StateRoot(Path path) {
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    /** The root that {@code environment} asks for. */
    public static StateRoot of(Map<String, String> environment) {
        String runtime = environment.getOrDefault("XDG_RUNTIME_DIR", "");
        String user = System.getProperty("user.name", "user").replaceAll("[^A-Za-z0-9_.-]", "_");
        return new StateRoot(Path.of(runtime.isEmpty() ? "/tmp" : runtime).resolve("hyperverbs-" + user));
    }

    public MachineFolder folder(String topology) {
        return new MachineFolder(topology, path.resolve(topology));
    }

    /** Folders of all topologies, running or left over, by name. */
    public List<MachineFolder> folders() throws IOException {
        if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            return List.of();
        }
        try (Stream<Path> list = Files.list(path)) {
            return list.filter(folder -> Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS))
                    .sorted()
                    .map(folder -> folder(folder.getFileName().toString()))
                    .toList();
        }
    }

    /** Folders whose VMM lives. */
    public List<MachineFolder> running() throws IOException {
        List<MachineFolder> running = new ArrayList<>();
        for (MachineFolder folder : folders()) {
            if (folder.vmm().isPresent()) {
                running.add(folder);
            }
        }
        return running;
    }

    /** Folders of topologies that run on several hosts. */
    public List<MachineFolder> hosted() throws IOException {
        return folders().stream().filter(MachineFolder::isHosted).toList();
    }

    /**
     * The folder for a topology to be started. Its VMM takes it over; that decides between two who
     * start the same name at once.
     *
     * @throws HvException CONFLICT if a topology of that name runs
     */
    public MachineFolder prepare(String topology) throws HvException, IOException {
        makeRoot();
        MachineFolder folder = folder(topology);
        if (folder.vmm().isPresent() || folder.isHosted()) {
            throw new HvException(
                    ExitCode.CONFLICT,
                    "topology " + topology + " is already running",
                    "hv down -t " + topology + " ends it");
        }
        return folder;
    }

    /** A folder of this name in /tmp may be somebody else's trap. */
    private void makeRoot() throws HvException, IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            Path parent = path.getParent();
            if (parent != null && !Files.isDirectory(parent)) {
                throw new HvException(
                        ExitCode.NOT_FOUND, "no folder " + parent, "set XDG_RUNTIME_DIR to a folder that exists");
            }
            Files.createDirectory(path, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        }
        boolean ours = Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
                && Files.getOwner(path).equals(Files.getOwner(Path.of("/proc/self")))
                && Files.getPosixFilePermissions(path).equals(OWNER_ONLY);
        if (!ours) {
            throw new HvException(
                    ExitCode.CONFLICT,
                    path + " is not a folder of this user alone",
                    "remove it or set XDG_RUNTIME_DIR");
        }
    }
}
