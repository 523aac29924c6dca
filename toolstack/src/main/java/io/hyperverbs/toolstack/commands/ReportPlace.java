package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.toolstack.cli.CommandContext;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The folder that the report of a long run goes to: tried before the run, and when it cannot be
 * written afterwards that costs the exit code and not the figures, which are printed by then.
 */
final class ReportPlace {
    /** Writes files into a folder, which may not be there yet; returns the one to open. */
    interface Writer {
        Path write(Path folder) throws IOException;
    }

    private final CommandContext context;
    private final Path folder;

    private ReportPlace(CommandContext context, Path folder) {
        this.context = context;
        this.folder = folder;
    }

    /**
     * The folder {@code given} with {@code --out}, or else {@code standard}; nothing is left there.
     *
     * @throws HvException FAILURE if no file can be written there
     */
    static ReportPlace of(CommandContext context, @Nullable String given, String standard) throws HvException {
        Path folder = context.path(given == null ? standard : given);
        try {
            Path there = folder;
            while (!Files.exists(there) && there.getParent() != null) {
                there = there.getParent();
            }
            Files.delete(Files.createTempFile(there, "hv", ".try"));
        } catch (IOException e) {
            throw new HvException(
                    ExitCode.FAILURE,
                    "cannot write the report to " + folder + ": " + why(e),
                    "--out names another folder");
        }
        return new ReportPlace(context, folder);
    }

    /** Returns the exit code. */
    int write(Writer report) {
        try {
            context.note("report: " + report.write(folder));
            return ExitCode.OK.number();
        } catch (IOException e) {
            return context.fail(new HvException(
                    ExitCode.FAILURE,
                    "cannot write the report to " + folder + ": " + why(e),
                    "the figures above are complete"));
        }
    }

    /** What the file system says, without the path. */
    static String why(IOException e) {
        String reason = e instanceof FileSystemException file ? file.getReason() : e.getMessage();
        return reason == null ? e.getClass().getSimpleName() : reason;
    }
}
