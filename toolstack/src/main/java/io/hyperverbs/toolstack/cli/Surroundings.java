package io.hyperverbs.toolstack.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * What {@code hv} finds around it; tests give their own.
 *
 * @param out data
 * @param err all else
 * @param environment variables, such as XDG_RUNTIME_DIR
 * @param folder the working directory
 * @param terminal whether {@code err} is a terminal
 */
public record Surroundings(
        PrintStream out,
        PrintStream err,
        Map<String, String> environment,
        Path folder,
        boolean terminal) {

    /** Those of this process. */
    public static Surroundings ofProcess() {
        return new Surroundings(
                new PrintStream(System.out, true, StandardCharsets.UTF_8),
                new PrintStream(System.err, true, StandardCharsets.UTF_8),
                Map.copyOf(System.getenv()),
                Path.of("").toAbsolutePath(),
                standardErrorIsTerminal());
    }

    // System.console() tells about standard input and output, not about standard error.
    private static boolean standardErrorIsTerminal() {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }
}
