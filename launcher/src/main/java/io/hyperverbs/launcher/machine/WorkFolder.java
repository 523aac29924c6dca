package io.hyperverbs.launcher.machine;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * A folder for what is made on the way. It goes when closed, and when the process is ended. That of a process that was
 * killed stays, and nobody holds its lock any more ({@link #left}).
 */
public final class WorkFolder implements AutoCloseable {
    private static final String PREFIX = "hv-work-";
    private static final String LOCK = "lock";

    /** To open the lock of a folder in the process that holds it would let it go. */
    private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

    private final Path folder;
    private final FileChannel lock;
    private final Thread hook = new Thread(this::delete, "remove-work-folder");

    private WorkFolder(Path folder) throws IOException {
        this.folder = folder;
        OWN.add(folder);
        lock = FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        FileLock _ = lock.lock();
        Files.createDirectory(path());
    }

    public static WorkFolder make() throws IOException {
        WorkFolder made = new WorkFolder(Files.createTempDirectory(PREFIX));
        Runtime.getRuntime().addShutdownHook(made.hook);
        return made;
    }

    public Path path() {
        return folder.resolve("files");
    }

    /** Folders of this user that no process uses. */
    public static List<Path> left() throws IOException {
        List<Path> left = new ArrayList<>();
        UserPrincipal user = Files.getOwner(Path.of("/proc/self"));
        try (Stream<Path> folders = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            for (Path folder : folders.sorted().toList()) {
                if (folder.getFileName().toString().startsWith(PREFIX) && !OWN.contains(folder)) {
                    if (isOf(user, folder) && isUnlocked(folder.resolve(LOCK))) {
                        left.add(folder);
                    }
                }
            }
        }
        return left;
    }

    /** Removes one of those that are {@link #left}. */
    public static void remove(Path left) throws IOException {
        new MachineFolder("work", left).delete();
    }

    private static boolean isOf(UserPrincipal user, Path folder) throws IOException {
        try {
            return Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
                    && Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS).equals(user);
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private static boolean isUnlocked(Path lock) throws IOException {
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
                FileLock held = channel.tryLock()) {
            return held != null;
        } catch (NoSuchFileException e) {
            // It is just being made, or removed.
            return false;
        }
    }

    @Override
    public void close() {
        delete();
        ShutdownHooks.remove(hook);
    }

    private void delete() {
        try {
            remove(folder);
            lock.close();
            OWN.remove(folder);
        } catch (IOException e) {
            System.err.println("hv: cannot remove " + folder + ": " + e);
        }
    }
}
