package io.hyperverbs.tests.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Inputs of a target that are kept: written by hand, or found and worth keeping. */
final class Corpus {
    /** Where sources of this module lie; tests run in its folder. */
    static final Path ROOT = Path.of("src/test/resources/fuzz").toAbsolutePath();

    private Corpus() {}

    static Path folder(FuzzKind kind) {
        return ROOT.resolve(kind.word());
    }

    /** Files in the order of their names. */
    static List<Path> files(FuzzKind kind) {
        try (Stream<Path> files = Files.list(folder(kind))) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static byte[] bytes(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<byte[]> inputs(FuzzKind kind) {
        return files(kind).stream().map(Corpus::bytes).toList();
    }
}
