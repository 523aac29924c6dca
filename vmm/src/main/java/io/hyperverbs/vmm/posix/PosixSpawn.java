package io.hyperverbs.vmm.posix;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
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

    private static final MethodHandle SPAWN = CLibrary.link(
            "posix_spawn", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS));
    private static final MethodHandle ACTIONS_INIT =
            CLibrary.link("posix_spawn_file_actions_init", FunctionDescriptor.of(JAVA_INT, ADDRESS));
    private static final MethodHandle ACTIONS_DUP2 = CLibrary.link(
            "posix_spawn_file_actions_adddup2", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
    private static final MethodHandle ACTIONS_DESTROY =
            CLibrary.link("posix_spawn_file_actions_destroy", FunctionDescriptor.of(JAVA_INT, ADDRESS));

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
            check((int) ACTIONS_INIT.invokeExact(CLibrary.capture(), actions), "posix_spawn_file_actions_init");
            try {
                pass(actions, input, STANDARD_INPUT);
                pass(actions, reports, REPORTS);
                MemorySegment pid = arena.allocate(JAVA_INT);
                int error = (int) SPAWN.invokeExact(
                        CLibrary.capture(),
                        pid,
                        arena.allocateFrom(program.toString()),
                        actions,
                        MemorySegment.NULL,
                        strings(arguments, arena),
                        strings(environment, arena));
                check(error, "start of " + program);
                return pid.get(JAVA_INT, 0);
            } finally {
                int ignored = (int) ACTIONS_DESTROY.invokeExact(CLibrary.capture(), actions);
            }
        } catch (PosixException e) {
            throw e;
        } catch (Throwable t) {
            throw CLibrary.bug(t);
        }
    }

    private static void pass(MemorySegment actions, Fd fd, int as) throws Throwable {
        check((int) ACTIONS_DUP2.invokeExact(CLibrary.capture(), actions, fd.number(), as), "posix_spawn dup2");
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
