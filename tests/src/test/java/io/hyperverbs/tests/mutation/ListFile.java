package io.hyperverbs.tests.mutation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A list with a line for each entry; empty lines and those that begin with {@code #} are none. */
final class ListFile {
    private ListFile() {}

    static List<String> entries(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(String::strip)
                .toList();
    }
}
