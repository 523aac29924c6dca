package io.hyperverbs.vmm.posix;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;

/**
 * Starts a process of which nobody waits for the end: {@link ProcessBuilder} keeps a thread for that, and chooses which
 * descriptors go on. Output and errors of the new process are this one's.
 */
public final class PosixSpawn {
    /** The descriptor that {@code reports} has in the new process. */
    public static final int REPORTS = 3;

    private static final int STANDARD_INPUT = 0;

    /** More than any C library takes for {@code posix_spawn_file_actions_t}. */
    private static final long ACTIONS_BYTES = 256;

    private static final CFunction SPAWN = CFunction.of("posix_spawn");
    private static final CFunction ACTIONS_INIT = CFunction.of("posix_spawn_file_actions_init");
    private static final CFunction ACTIONS_DUP2 = CFunction.of("posix_spawn_file_actions_adddup2");
    private static final CFunction ACTIONS_DESTROY = CFunction.of("posix_spawn_file_actions_destroy");

    private PosixSpawn() {}

    /**
     * Starts {@code program}.
     *
     * @param arguments the first is its name
     * @param environment {@code NAME=VALUE} each
     * @param input its standard input; stays the caller's, as {@code reports} does
     * @param reports its descriptor {@link #REPORTS}
     * @return number of the new process
     */
    public static int start(Path program, List<String> arguments, List<String> environment, Fd input, Fd reports)
            throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment actions = arena.allocate(ACTIONS_BYTES, Long.BYTES);
            check(ACTIONS_INIT.call(actions.address()), "posix_spawn_file_actions_init");
            try {
                pass(actions, input, STANDARD_INPUT);
                pass(actions, reports, REPORTS);
                MemorySegment pid = arena.allocate(JAVA_INT);
                int error = SPAWN.call(
                        pid.address(),
                        arena.allocateFrom(program.toString()).address(),
                        actions.address(),
                        0,
                        strings(arguments, arena).address(),
                        strings(environment, arena).address());
                check(error, "start of " + program);
                return pid.get(JAVA_INT, 0);
            } finally {
                int _ = ACTIONS_DESTROY.call(actions.address());
            }
        }
    }

    private static void pass(MemorySegment actions, Fd fd, int as) throws PosixException {
        check(ACTIONS_DUP2.call(actions.address(), fd.number(), as), "posix_spawn dup2");
    }

    /** These functions return the error, and leave errno alone. */
    private static void check(int error, String what) throws PosixException {
        if (error != 0) {
            throw new PosixException(what, error);
        }
    }

    private static MemorySegment strings(List<String> all, Arena arena) {
        MemorySegment pointers = arena.allocate(ADDRESS, all.size() + 1L);
        for (int i = 0; i < all.size(); i++) {
            pointers.setAtIndex(ADDRESS, i, arena.allocateFrom(all.get(i)));
        }
        return pointers;
    }
}
