package io.hyperverbs.vmm.envelope;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes groups that we made, with what runs in them. */
final class GroupRemoval {
    private static final Logger LOG = LoggerFactory.getLogger(GroupRemoval.class);

    /** A killed process gives back its memory first. */
    private static final long PATIENCE_MILLIS = 3_000;

    private static final long LOOK_MILLIS = 5;

    private final GroupTree tree;

    GroupRemoval(GroupTree tree) {
        this.tree = tree;
    }

    /** Removes a group with all groups in it; false if something stays, which is logged. */
    boolean remove(Path group) {
        if (!Files.isDirectory(group, LinkOption.NOFOLLOW_LINKS)) {
            return true;
        }
        boolean all = true;
        for (Path child : children(group)) {
            all &= remove(child);
        }
        return all && removeOne(group);
    }

    private static List<Path> children(Path group) {
        try (Stream<Path> entries = Files.list(group)) {
            return entries.filter(entry -> Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS))
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    private boolean removeOne(Path group) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
        while (true) {
            try {
                kill(group);
                tree.remove(group);
                return true;
            } catch (IOException e) {
                // The kernel does not notify us when the last process of a group ends.
                boolean late = System.nanoTime() - deadline > 0;
                if (late || e instanceof DirectoryNotEmptyException) {
                    LOG.warn("group {} stays: {}", group, e.toString());
                    return false;
                }
            }
            try {
                Thread.sleep(LOOK_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
    }

    private void kill(Path group) throws IOException {
        try {
            for (long pid : tree.members(group)) {
                if (pid != ProcessHandle.current().pid()) {
                    ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
                }
            }
        } catch (NoSuchFileException e) {
            // It is gone already.
        }
    }
}
