package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.toolstack.cli.CommandContext;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Files for what guests exchange or do: the operator's alone (0600). */
final class OutputFile {
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");

    private OutputFile() {}

    /**
     * Makes or empties a file.
     *
     * @throws HvException NOT_FOUND: no such folder; FAILURE: it cannot be written
     */
    static OutputStream open(CommandContext context, String file) throws HvException {
        Path path = context.path(file);
        try {
            if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
                // Before there is anything in it.
                Files.setPosixFilePermissions(path, OWNER_ONLY);
            }
            return Channels.newOutputStream(Files.newByteChannel(
                    path,
                    Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING),
                    PosixFilePermissions.asFileAttribute(OWNER_ONLY)));
        } catch (NoSuchFileException e) {
            throw new HvException(ExitCode.NOT_FOUND, "cannot write " + file, "there is no such folder");
        } catch (IOException e) {
            String why = e instanceof AccessDeniedException ? "permission denied" : String.valueOf(e.getMessage());
            throw new HvException(ExitCode.FAILURE, "cannot write " + file, why);
        }
    }
}
