package io.hyperverbs.vmm.posix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Processor time that the calling thread has taken, by {@code clock_gettime(2)} with {@code
 * CLOCK_THREAD_CPUTIME_ID}: unlike the time of day it stands still while others have the core. One
 * thread at a time.
 */
public final class ThreadClock {
    private static final int CLOCK_THREAD_CPUTIME_ID = 3;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final CFunction CLOCK_GETTIME = CFunction.of("clock_gettime");

    /** {@code struct timespec}: seconds, nanoseconds. */
    private final MemorySegment time = Arena.ofAuto().allocate(2 * ValueLayout.JAVA_LONG.byteSize(), Long.BYTES);

    /** Nanoseconds since the calling thread was started. */
    public long cpuNanos() {
        int result = CLOCK_GETTIME.call(CLOCK_THREAD_CPUTIME_ID, time.address());
        if (result != 0) {
            throw new IllegalStateException("clock_gettime: errno " + CLibrary.errno());
        }
        return time.get(ValueLayout.JAVA_LONG, 0) * NANOS_PER_SECOND
                + time.get(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG.byteSize());
    }
}
