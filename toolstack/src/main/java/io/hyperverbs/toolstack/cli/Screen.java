package io.hyperverbs.toolstack.cli;

import io.hyperverbs.vmm.posix.TerminalWidth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.IntSupplier;

/**
 * What of the output an operator sees on a terminal, and how wide that is.
 *
 * @param out whether standard output goes to a terminal
 * @param err whether standard error does
 * @param columns width of the terminal, asked each time as it may change
 */
public record Screen(boolean out, boolean err, IntSupplier columns) {
    /** As terminals were wide, and as wide as one that does not say is taken to be. */
    public static final int USUAL_COLUMNS = 80;

    private static final int STANDARD_OUTPUT = 1;
    private static final int STANDARD_ERROR = 2;

    /** No terminal anywhere. */
    public static Screen none() {
        return new Screen(false, false, () -> USUAL_COLUMNS);
    }

    /** That of this process. */
    static Screen ofProcess() {
        boolean out = isTerminal(STANDARD_OUTPUT);
        boolean err = isTerminal(STANDARD_ERROR);
        int asked = out ? STANDARD_OUTPUT : STANDARD_ERROR;
        return new Screen(out, err, () -> TerminalWidth.of(asked).orElse(USUAL_COLUMNS));
    }

    // System.console() tells about standard input and output together. A link is cheaper to read
    // than the first native call is to link, and most calls of hv need no width.
    static boolean isTerminal(int descriptor) {
        try {
            Path link = Path.of("/proc/self/fd/" + descriptor);
            String target = Files.readSymbolicLink(link).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }
}
