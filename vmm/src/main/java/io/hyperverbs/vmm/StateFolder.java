package io.hyperverbs.vmm;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.domain.FileTree;
import io.hyperverbs.vmm.domain.MachineException;
import io.hyperverbs.vmm.envelope.LeftGroups;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A topology's state folder, which one living VMM has at a time: it holds a lock on vmm.pid, which
 * goes with its process however that ends.
 */
final class StateFolder {
    private static final String PID = "vmm.pid";
    private static final Set<String> KNOWN = Set.of(PID, "vmm.sock", "domains", "logs", "journal", LeftGroups.FILE);
    private static final String OWN = "rwx------";

    private final Path path;

    /** Lasts while vmm.pid is open, and would go if this process opened and closed it once more. */
    private final FileLock lock;

    private StateFolder(Path path, FileLock lock) {
        this.path = path;
        this.lock = lock;
    }

    /**
     * Makes the folder, or takes over one of a VMM that is dead, and removes what that left.
     *
     * @throws MachineException EBUSY if a living VMM has it, or it is no state folder
     */
    static StateFolder claim(Path path) throws IOException, MachineException {
        while (true) {
            make(path);
            Path pid = path.resolve(PID);
            createIfAbsent(pid);
            Object before = identity(pid);
            FileLock lock = lock(pid);
            if (lock == null) {
                throw new MachineException(
                        VerbsStatus.EBUSY, "a VMM runs in " + path + " (pid and start: " + read(pid) + ")");
            }
            // Its former owner may have removed the file after we opened it.
            if (before != null && Objects.equals(before, identity(pid))) {
                StateFolder folder = new StateFolder(path, lock);
                folder.clean();
                folder.writePid();
                return folder;
            }
            lock.channel().close();
        }
    }

    private static void make(Path path) throws IOException, MachineException {
        if (path.getParent() != null) {
            Files.createDirectories(path.getParent());
        }
        var mode = PosixFilePermissions.fromString(OWN);
        try {
            Files.createDirectory(path, PosixFilePermissions.asFileAttribute(mode));
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                throw new MachineException(VerbsStatus.EBUSY, path + " is not a folder");
            }
            Object ours = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
            if (!ours.equals(Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS))) {
                throw new MachineException(VerbsStatus.EBUSY, path + " is a folder of another user");
            }
            try (Stream<Path> entries = Files.list(path)) {
                List<String> strange = entries.map(entry -> entry.getFileName().toString())
                        .filter(name -> !KNOWN.contains(name))
                        .toList();
                if (!strange.isEmpty()) {
                    throw new MachineException(
                            VerbsStatus.EBUSY, path + " is not a state folder: it has " + strange.getFirst());
                }
            }
            Files.setPosixFilePermissions(path, mode);
        }
    }

    private static void createIfAbsent(Path pid) throws IOException, MachineException {
        try {
            Files.createFile(pid);
        } catch (FileAlreadyExistsException e) {
            // The lock decides whose it is; but a file with a second name is somebody's else.
            if (names(pid) > 1) {
                throw new MachineException(VerbsStatus.EBUSY, pid + " has another name");
            }
        }
    }

    private static int names(Path pid) throws IOException {
        try {
            return (int) Files.getAttribute(pid, "unix:nlink", LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            return 0;
        }
    }

    private static @Nullable Object identity(Path pid) throws IOException {
        try {
            return Files.readAttributes(pid, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .fileKey();
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private static @Nullable FileLock lock(Path pid) throws IOException {
        FileChannel channel =
                FileChannel.open(pid, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        FileLock lock = channel.tryLock();
        if (lock == null) {
            channel.close();
        }
        return lock;
    }

    private static String read(Path pid) throws IOException {
        try {
            return Files.readString(pid).strip();
        } catch (NoSuchFileException e) {
            return "just gone";
        }
    }

    private void clean() throws IOException {
        LeftGroups.remove(path);
        for (String name : KNOWN) {
            if (!name.equals(PID)) {
                FileTree.delete(path.resolve(name));
            }
        }
    }

    private void writePid() throws IOException {
        ProcessHandle self = ProcessHandle.current();
        long started = self.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
        String line = self.pid() + " " + started + "\n";
        FileChannel channel = lock.channel();
        channel.truncate(0);
        channel.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8)), 0);
    }

    Path path() {
        return path;
    }

    Path socket() {
        return path.resolve("vmm.sock");
    }

    /** Removes the folder; the lock goes with the process. */
    void delete() throws IOException {
        FileTree.delete(path);
    }
}
