package io.hyperverbs.launcher.hosts;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.MachineFolder;
import io.hyperverbs.launcher.machine.StateRoot;
import io.hyperverbs.vmm.posix.ProcessAttributes;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** The name of a topology over hosts, for one alone who starts or exports it. */
final class HostsClaim {
    /** What is done in the topology's state folder. */
    interface Work<T> {
        T in(MachineFolder folder) throws HvException, IOException, InterruptedException;
    }

    private HostsClaim() {}

    /**
     * Makes the state folder, and does the work while nobody else can take the name.
     *
     * @throws HvException CONFLICT if the name is taken; what the work throws
     */
    static <T> T take(StateRoot root, String topology, Work<T> work) throws HvException, InterruptedException {
        try {
            checkNotExported(root.folder(topology));
            MachineFolder folder = root.prepare(topology);
            ProcessAttributes.closeNewFiles();
            Files.createDirectories(folder.path());
            try (FileChannel lockFile = FileChannel.open(
                            folder.path().resolve("up.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock lock = lock(lockFile)) {
                if (lock == null || folder.isHosted()) {
                    throw new HvException(
                            ExitCode.CONFLICT,
                            "topology " + topology + " is being started already",
                            "hv ps shows what runs");
                }
                return work.in(folder);
            }
        } catch (IOException e) {
            throw new HvException(ExitCode.FAILURE, "cannot write to the state folder: " + e, "");
        }
    }

    private static void checkNotExported(MachineFolder folder) throws HvException {
        if (folder.isHosted() && HostsFile.read(folder).launcher() == Launcher.KUBERNETES) {
            throw new HvException(
                    ExitCode.CONFLICT,
                    "topology " + folder.name() + " is exported for Kubernetes already",
                    "hv down -t " + folder.name() + " ends it and forgets its keys");
        }
    }

    private static @Nullable FileLock lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }
}
