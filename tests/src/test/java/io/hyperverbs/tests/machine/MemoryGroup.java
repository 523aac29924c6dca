package io.hyperverbs.tests.machine;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A memory control group of the test's own, as small as a container may be: what runs in it has no
 * more memory than that. Either version of the kernel's interface. Closing removes it, and fails if
 * a process is left in it.
 */
public final class MemoryGroup implements AutoCloseable {
    private static final Path TOP = Path.of("/sys/fs/cgroup");
    private static final String CONTROLLER = "memory";
    private static final String MEMBERS = "cgroup.procs";

    /** What a process took is given back a moment after its end. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Enters the group, then becomes the command, so that nothing of it ever ran outside. */
    private static final String SCRIPT = "echo $$ > \"$0\" || exit 125; exec \"$@\"";

    private final Path path;

    private MemoryGroup(Path path) {
        this.path = path;
    }

    /** A new one of {@code bytes}; empty where this user can make none. */
    public static Optional<MemoryGroup> make(long bytes) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/cgroup"))) {
            // hierarchy-ID:controllers:path
            String[] parts = line.split(":", 3);
            if (List.of(parts[1].split(",")).contains(CONTROLLER)) {
                Path home = TOP.resolve(CONTROLLER).resolve(parts[2].substring(1));
                return make(home, "memory.limit_in_bytes", bytes);
            }
            Path unified = TOP.resolve(parts[2].substring(1));
            while (parts[1].isEmpty() && unified.startsWith(TOP)) {
                Path handedOn = unified.resolve("cgroup.subtree_control");
                if (Files.exists(handedOn) && Files.readString(handedOn).contains(CONTROLLER)) {
                    return make(unified, "memory.max", bytes);
                }
                unified = unified.getParent();
            }
        }
        return Optional.empty();
    }

    private static Optional<MemoryGroup> make(Path parent, String limit, long bytes) throws IOException {
        if (!Files.isWritable(parent) || !Files.isWritable(parent.resolve(MEMBERS))) {
            return Optional.empty();
        }
        Path path = Files.createDirectory(
                parent.resolve("small-" + ProcessHandle.current().pid()));
        Files.writeString(path.resolve(limit), Long.toString(bytes));
        return Optional.of(new MemoryGroup(path));
    }

    /** A command that runs {@code command} in the group, with all that it starts. */
    public List<String> enter(List<String> command) {
        List<String> words = new ArrayList<>(List.of("/bin/sh", "-c", SCRIPT));
        words.add(path.resolve(MEMBERS).toString());
        words.addAll(command);
        return words;
    }

    /** Processes in it and in groups that were made in it. */
    public List<Long> members() throws IOException {
        List<Long> all = new ArrayList<>();
        for (Path group : groups()) {
            Files.readAllLines(group.resolve(MEMBERS)).forEach(pid -> all.add(Long.valueOf(pid)));
        }
        return all;
    }

    /** The innermost first. */
    private List<Path> groups() throws IOException {
        try (Stream<Path> files = Files.walk(path)) {
            return files.filter(Files::isDirectory)
                    .sorted(Comparator.reverseOrder())
                    .toList();
        }
    }

    @Override
    public void close() throws IOException {
        await("no process in " + path).atMost(PATIENCE).until(() -> members().isEmpty());
        for (Path group : groups()) {
            await(group + " is removed").atMost(PATIENCE).ignoreExceptions().until(() -> Files.deleteIfExists(group));
        }
    }
}
