package io.hyperverbs.vmm.posix;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;

/**
 * The processors that a thread may run on, by {@code sched_getaffinity} and {@code
 * sched_setaffinity}. Threads inherit them from the thread that starts them.
 */
public final class ThreadAffinity {
    /** Room for 8192 processors, the most that Linux is built for. */
    private static final long MASK_BYTES = 1024;

    private static final int CALLING_THREAD = 0;

    private static final CFunction GET = CFunction.of("sched_getaffinity");
    private static final CFunction SET = CFunction.of("sched_setaffinity");

    private ThreadAffinity() {}

    /** The processors it may run on, numbered as the kernel does. */
    public static BitSet get() throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mask = arena.allocate(MASK_BYTES, Long.BYTES);
            call(GET, CALLING_THREAD, mask, "sched_getaffinity");
            return BitSet.valueOf(mask.toArray(JAVA_LONG));
        }
    }

    /** Lets it run on {@code processors} alone; EINVAL if none of them is there. */
    public static void set(BitSet processors) throws PosixException {
        set(CALLING_THREAD, processors);
    }

    /**
     * The same for any thread of this user, or of anybody for root.
     *
     * @param thread its number; ESRCH if it has ended
     */
    public static void set(int thread, BitSet processors) throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mask = arena.allocate(MASK_BYTES, Long.BYTES);
            long[] words = processors.toLongArray();
            MemorySegment.copy(words, 0, mask, JAVA_LONG, 0, words.length);
            call(SET, thread, mask, "sched_setaffinity");
        }
    }

    private static void call(CFunction function, int thread, MemorySegment mask, String what) throws PosixException {
        CLibrary.check(function.call(thread, MASK_BYTES, mask.address()), what);
    }
}
