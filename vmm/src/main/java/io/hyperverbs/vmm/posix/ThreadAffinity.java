package io.hyperverbs.vmm.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.BitSet;

/**
 * The processors that a thread may run on, by {@code sched_getaffinity} and {@code
 * sched_setaffinity}. Threads inherit them from the thread that starts them.
 */
public final class ThreadAffinity {
    /** Room for 8192 processors, the most that Linux is built for. */
    private static final long MASK_BYTES = 1024;

    private static final int CALLING_THREAD = 0;

    private static final FunctionDescriptor SHAPE =
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ValueLayout.ADDRESS);
    private static final MethodHandle GET = CLibrary.link("sched_getaffinity", SHAPE);
    private static final MethodHandle SET = CLibrary.link("sched_setaffinity", SHAPE);

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

    private static void call(MethodHandle function, int thread, MemorySegment mask, String what) throws PosixException {
        try {
            CLibrary.check((int) function.invokeExact(CLibrary.capture(), thread, MASK_BYTES, mask), what);
        } catch (PosixException e) {
            throw e;
        } catch (Throwable t) {
            throw CLibrary.bug(t);
        }
    }
}
