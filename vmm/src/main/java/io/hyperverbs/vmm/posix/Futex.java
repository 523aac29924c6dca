package io.hyperverbs.vmm.posix;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/**
 * Sleeps until a word of memory has another value and somebody wakes (futex(2)). Processes that map the same memory
 * wake each other. Waking never waits, whatever the other process does: so a trusted one may wake a guest this way,
 * which it may not by an {@link EventFd}. Allocates nothing after construction.
 */
public final class Futex {
    private static final long FUTEX = 202;
    private static final int WAIT = 0;
    private static final int WAKE = 1;
    private static final int ALL = Integer.MAX_VALUE;
    private static final long NANOS = 1_000_000_000;

    private static final CFunction CALL = CFunction.of("syscall");

    private final long address;
    // struct timespec.
    private final MemorySegment timeout = Arena.ofAuto().allocate(JAVA_LONG, 2);

    /**
     * On an int of native memory, 4-byte aligned, which stays mapped.
     *
     * @param offset of it in {@code memory}
     */
    public Futex(MemorySegment memory, long offset) {
        address = memory.asSlice(offset, Integer.BYTES, Integer.BYTES).address();
    }

    /**
     * Sleeps while the word has that value; ends early now and then. One thread at a time.
     *
     * @param nanos at most so long
     */
    public void await(int value, long nanos) {
        timeout.setAtIndex(JAVA_LONG, 0, nanos / NANOS);
        timeout.setAtIndex(JAVA_LONG, 1, nanos % NANOS);
        // Whether it slept, and why it ended, makes no difference to who looks again.
        try {
            long _ = call(address, WAIT, value, timeout.address());
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Wakes all that sleep on the word. Any thread. */
    public void wake() {
        wake(address);
    }

    /** As {@link #wake()}; whether somebody slept. */
    public boolean wakeSleeper() {
        return call(address, WAKE, ALL, 0) > 0;
    }

    /** Wakes all that sleep on the int at an address of this process. Any thread. */
    public static void wake(long address) {
        long _ = call(address, WAKE, ALL, 0);
    }

    private static long call(long word, int operation, int value, long timeout) {
        return CALL.callLong(FUTEX, word, operation, value, timeout);
    }
}
