package io.hyperverbs.vmm.posix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Map;

/**
 * How long the calling thread runs before the kernel lets others of its core run, by {@code
 * sched_getattr} and {@code sched_setattr}. Threads and processes inherit it from the thread that
 * starts them. Kernels before 6.12 take it and do nothing with it.
 */
public final class ThreadSlice {
    /** Numbers of {@code sched_setattr}, which older C libraries have no function for. */
    private static final Map<String, Integer> SET = Map.of("amd64", 314, "aarch64", 274);

    /** {@code struct sched_attr} without what later kernels added; sched_setattr(2). */
    private static final long BYTES = 48;

    private static final long SIZE = 0;
    private static final long RUNTIME_NANOS = 24;
    private static final long CALLING_THREAD = 0;
    private static final long NO_FLAGS = 0;

    private ThreadSlice() {}

    /** Whether this computer's system call is known here. */
    public static boolean known() {
        return SET.containsKey(System.getProperty("os.arch"));
    }

    /** Of the calling thread. */
    public static Duration get() throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            return Duration.ofNanos(read(arena).get(ValueLayout.JAVA_LONG, RUNTIME_NANOS));
        }
    }

    /** Changes that and nothing else; the kernel keeps it between 0.1 and 100 ms. */
    public static void set(Duration slice) throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = read(arena);
            attributes.set(ValueLayout.JAVA_INT, SIZE, (int) BYTES);
            attributes.set(ValueLayout.JAVA_LONG, RUNTIME_NANOS, slice.toNanos());
            call("sched_setattr", number(), CALLING_THREAD, attributes.address(), NO_FLAGS);
        }
    }

    private static MemorySegment read(Arena arena) throws PosixException {
        MemorySegment attributes = arena.allocate(BYTES, Long.BYTES);
        // The next number.
        call("sched_getattr", number() + 1, CALLING_THREAD, attributes.address(), BYTES, NO_FLAGS);
        return attributes;
    }

    private static int number() {
        Integer number = SET.get(System.getProperty("os.arch"));
        if (number == null) {
            throw new UnsupportedOperationException("no number of sched_setattr for this computer");
        }
        return number;
    }

    private static void call(String name, long number, long... arguments) throws PosixException {
        long result = SystemCall.make(number, arguments);
        if (result < 0) {
            throw new PosixException(name, (int) -result);
        }
    }
}
