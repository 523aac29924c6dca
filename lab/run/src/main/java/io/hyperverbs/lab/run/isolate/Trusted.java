package io.hyperverbs.lab.run.isolate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * A process that guests must not harm.
 *
 * @param name what people call it
 * @param log what it prints
 */
public record Trusted(String name, long pid, Path log) {
    /** How many descriptors it has open; empty where only root may count them. */
    public OptionalLong descriptors() {
        try (Stream<Path> open = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
            return OptionalLong.of(open.count());
        } catch (IOException | UncheckedIOException denied) {
            return OptionalLong.empty();
        }
    }

    /** Its live objects. */
    public LiveHeap heap() {
        return new LiveHeap(pid, log);
    }
}
