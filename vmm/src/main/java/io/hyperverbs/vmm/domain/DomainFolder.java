package io.hyperverbs.vmm.domain;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/**
 * What a domain has in the file system: a folder that only it sees, where it may write in {@code
 * out} alone and there are namespaces, and logs outside it.
 *
 * @param path the folder
 * @param log its console
 */
record DomainFolder(Path path, Path log) {
    Path hypercallSocket() {
        return path.resolve("hypercall.sock");
    }

    Path out() {
        return path.resolve("out");
    }

    /** What the VMM writes down of the verb log, outside the folder. */
    Path verbsLog() {
        return log.resolveSibling("verbs").resolve(log.getFileName());
    }

    /** Re-creates the folder; what the toolstack put into {@code app} stays. */
    void prepare(int uid) throws IOException {
        Files.createDirectories(path);
        // The toolstack may have made it, with programs for the domain.
        Files.setPosixFilePermissions(path.getParent(), PosixFilePermissions.fromString("rwx------"));
        Files.createDirectories(verbsLog().getParent());
        // Others may enter: the folders above are closed to them; inside a sandbox the domain's
        // user is one of the others.
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.deleteIfExists(hypercallSocket());
        Files.deleteIfExists(path.resolve("device.sock"));
        FileTree.delete(out());
        Files.createDirectory(out());
        Files.setPosixFilePermissions(out(), PosixFilePermissions.fromString("rwx------"));
        give(out(), uid);
        for (Path file : List.of(log, verbsLog())) {
            for (Path one : List.of(file, ConsoleLog.formerOf(file))) {
                Files.deleteIfExists(StreamSwitch.fileOf(one));
                Files.deleteIfExists(one);
            }
        }
        createClosed(log);
    }

    private static void createClosed(Path file) throws IOException {
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }

    /** Lets the domain's user connect. */
    void giveSocket(int uid) throws IOException {
        Files.setPosixFilePermissions(hypercallSocket(), PosixFilePermissions.fromString("rw-------"));
        give(hypercallSocket(), uid);
    }

    private static void give(Path path, int uid) throws IOException {
        if (uid != 0) {
            Files.setAttribute(path, "unix:uid", uid);
            Files.setAttribute(path, "unix:gid", uid);
        }
    }

    /** Removes the sockets. The rest can be read until the VMM ends. */
    void removeSockets() throws IOException {
        Files.deleteIfExists(hypercallSocket());
        Files.deleteIfExists(path.resolve("device.sock"));
    }
}
