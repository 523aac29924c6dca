package io.hyperverbs.vmm.posix;

import java.nio.file.Path;

/** Descriptors 1 and 2, which the JVM writes to past {@code System.out}. */
public final class StandardStreams {
    private static final int STDOUT = 1;
    private static final int STDERR = 2;

    /** {@code O_WRONLY | O_APPEND | O_CLOEXEC}. */
    private static final int APPENDING = 1 | 0x400 | 0x80000;

    private static final CFunction DUP2 = CFunction.of("dup2");

    private StandardStreams() {}

    /** From here on both go to the end of {@code file}, which is there. */
    public static void appendTo(Path file) throws PosixException {
        try (Fd log = Fd.open(file, APPENDING)) {
            for (int stream : new int[] {STDOUT, STDERR}) {
                int result = DUP2.call(log.number(), stream);
                CLibrary.check(result, "dup2");
            }
        }
    }
}
