package io.hyperverbs.vmm.posix;

import static java.lang.foreign.ValueLayout.ADDRESS;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Lets this process go on as another program ({@code execve(2)}). */
public final class ProgramImage {
    private static final int FIRST_UNNAMED = 3;
    private static final int LAST = -1;
    private static final int CLOSE_ON_EXEC = 4;

    private static final CFunction EXECVE = CFunction.of("execve");
    private static final CFunction CLOSE_RANGE = CFunction.of("close_range");

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
            CLibrary.check(CLOSE_RANGE.call(FIRST_UNNAMED, LAST, CLOSE_ON_EXEC), "close_range");
            CLibrary.check(
                    EXECVE.call(arguments.getAtIndex(ADDRESS, 0).address(), arguments.address(), nothing.address()),
                    "execve " + command.getFirst());
        }
    }
}
