package io.hyperverbs.vmm.posix;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;

/** Lets this process go on as another program ({@code execve(2)}). */
public final class ProgramImage {
    private static final int FIRST_UNNAMED = 3;
    private static final int LAST = -1;
    private static final int CLOSE_ON_EXEC = 4;

    private static final MethodHandle EXECVE =
            CLibrary.link("execve", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS));
    private static final MethodHandle CLOSE_RANGE =
            CLibrary.link("close_range", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));

    private ProgramImage() {}

    /**
     * Becomes {@code command}, with no environment and no descriptor but the first three. What the
     * calling thread is confined to holds for all of it; all other threads end.
     *
     * @param command the program by absolute path, then its arguments
     * @throws PosixException if the program cannot be started; else this does not return
     */
    public static void replace(List<String> command) throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment arguments = arena.allocate(ADDRESS, command.size() + 1L);
            for (int i = 0; i < command.size(); i++) {
                arguments.setAtIndex(ADDRESS, i, arena.allocateFrom(command.get(i)));
            }
            MemorySegment nothing = arena.allocate(ADDRESS);
            CLibrary.check(
                    (int) CLOSE_RANGE.invokeExact(CLibrary.capture(), FIRST_UNNAMED, LAST, CLOSE_ON_EXEC),
                    "close_range");
            CLibrary.check(
                    (int) EXECVE.invokeExact(CLibrary.capture(), arguments.getAtIndex(ADDRESS, 0), arguments, nothing),
                    "execve " + command.getFirst());
        } catch (PosixException e) {
            throw e;
        } catch (Throwable t) {
            throw CLibrary.bug(t);
        }
    }
}
