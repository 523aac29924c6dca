package io.hyperverbs.tests.programs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Prints the names of the files that its process has mapped. */
public final class Maps {
    private static final int COLUMNS = 6;

    private Maps() {}

    /** Runs in a guest. */
    public static void main(String[] args) throws IOException {
        Files.readAllLines(Path.of("/proc/self/maps")).stream()
                .map(line -> line.split(" +", COLUMNS))
                .filter(columns -> columns.length == COLUMNS)
                .map(columns -> columns[COLUMNS - 1])
                .distinct()
                .forEach(System.out::println);
    }
}
