package io.hyperverbs.toolstack.cli;

import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * What {@code hv} finds around it; tests give their own.
 *
 * @param out data
 * @param err all else
 * @param environment variables, such as XDG_RUNTIME_DIR
 * @param folder the working directory
 * @param screen which of the two streams go to a terminal
 * @param in what the programs that it runs are to read; empty if there is nothing, or a terminal: a
 *     shell would stop who reads that in the background
 */
public record CliEnvironment(
        PrintStream out,
        PrintStream err,
        Map<String, String> environment,
        Path folder,
        Screen screen,
        Optional<InputStream> in) {
    private static final int STANDARD_INPUT = 0;

    /** Without anything to read. */
    public CliEnvironment(
            PrintStream out, PrintStream err, Map<String, String> environment, Path folder, Screen screen) {
        this(out, err, environment, folder, screen, Optional.empty());
    }

    /** Those of this process. */
    public static CliEnvironment ofProcess() {
        return new CliEnvironment(
                new PrintStream(System.out, true, StandardCharsets.UTF_8),
                new PrintStream(System.err, true, StandardCharsets.UTF_8),
                Map.copyOf(System.getenv()),
                Path.of("").toAbsolutePath(),
                Screen.ofProcess(),
                Screen.isTerminal(STANDARD_INPUT) ? Optional.empty() : Optional.of(System.in));
    }

    /** Whether {@link #err} is a terminal. */
    public boolean terminal() {
        return screen.err();
    }
}
