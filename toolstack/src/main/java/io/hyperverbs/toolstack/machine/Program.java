package io.hyperverbs.toolstack.machine;

import java.nio.file.Path;
import java.util.List;

/**
 * A program ready to run in a domain.
 *
 * @param mainClass with {@code public static void main(String[])}
 * @param files jars and class folders besides the guest class path, to be copied to the domain
 */
public record Program(String mainClass, List<Path> files, List<String> args) {
    public Program {
        files = List.copyOf(files);
        args = List.copyOf(args);
    }
}
