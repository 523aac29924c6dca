package io.hyperverbs.vmm.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/** Descriptors 1 and 2, which the JVM writes to past {@code System.out}. */
public final class StandardStreams {
    private static final int STDOUT = 1;
    private static final int STDERR = 2;

    /** {@code O_WRONLY | O_APPEND | O_CLOEXEC}. */
    private static final int APPENDING = 1 | 0x400 | 0x80000;

    private static final MethodHandle DUP2 = CLibrary.link("dup2", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));

    private StandardStreams() {}

    /** From here on both go to the end of {@code file}, which is there. */
    public static void appendTo(Path file) throws PosixException {
        try (Fd log = Fd.open(file, APPENDING)) {
            for (int stream : new int[] {STDOUT, STDERR}) {
                int result = (int) DUP2.invokeExact(CLibrary.capture(), log.number(), stream);
                CLibrary.check(result, "dup2");
            }
        } catch (PosixException e) {
            throw e;
        } catch (Throwable t) {
            throw CLibrary.bug(t);
        }
    }
}
