package io.hyperverbs.vmm.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import org.jspecify.annotations.Nullable;

/**
 * Waits for many descriptors at once, edge-triggered: each {@link EventFd#signal} is reported once,
 * and need not be drained. {@link #add} and {@link #remove} are callable from any thread, {@link
 * #await} from one. Waiting allocates nothing.
 */
public final class Epoll implements AutoCloseable {
    /** Waits without end. */
    public static final long FOREVER = Long.MAX_VALUE;

    private static final int EPOLL_CLOEXEC = 0x80000;
    private static final int EPOLL_CTL_ADD = 1;
    private static final int EPOLL_CTL_DEL = 2;
    private static final int EPOLLIN = 1;
    private static final int EPOLLET = 1 << 31;
    private static final int MAX_EVENTS = 64;
    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final int NANOS_PER_MILLI = 1_000_000;

    // struct epoll_event is packed on x86-64 alone.
    private static final boolean PACKED = System.getProperty("os.arch").equals("amd64");
    private static final long EVENT_BYTES = PACKED ? 12 : 16;
    private static final long TAG_OFFSET = PACKED ? 4 : 8;

    private static final CFunction CREATE = CFunction.of("epoll_create1");
    private static final CFunction CTL = CFunction.of("epoll_ctl");
    private static final CFunction WAIT = CFunction.of("epoll_wait");
    // Nanoseconds instead of milliseconds; glibc has it from 2.35 on.
    private static final @Nullable CFunction PWAIT2 =
            CFunction.find("epoll_pwait2").orElse(null);

    private final Fd fd;
    private final MemorySegment events = Arena.ofAuto().allocate(EVENT_BYTES * MAX_EVENTS, 8);
    private final MemorySegment timeout = Arena.ofAuto().allocate(16, 8);

    private Epoll(Fd fd) {
        this.fd = fd;
    }

    public static Epoll create() throws PosixException {
        int number = CREATE.call(EPOLL_CLOEXEC);
        return new Epoll(new Fd(CLibrary.check(number, "epoll_create1")));
    }

    /** Reports from now on when {@code watched} becomes readable; {@code tag} comes with it. */
    public void add(int watched, long tag) throws PosixException {
        control(EPOLL_CTL_ADD, watched, tag);
    }

    /** Reports it no more. To be called before its descriptor is closed. */
    public void remove(int watched) throws PosixException {
        control(EPOLL_CTL_DEL, watched, 0);
    }

    /** Its own descriptor, for another epoll: readable while something is that this one would report. */
    public Fd fd() {
        return fd;
    }

    private void control(int operation, int watched, long tag) throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment event = arena.allocate(EVENT_BYTES, 8);
            event.set(JAVA_INT, 0, EPOLLIN | EPOLLET);
            event.set(JAVA_LONG_UNALIGNED, TAG_OFFSET, tag);
            CLibrary.check(CTL.call(fd.number(), operation, watched, event.address()), "epoll_ctl");
        }
    }

    /**
     * Waits until something is readable or {@code maxNanos} have passed.
     *
     * @param maxNanos from 0; {@link #FOREVER}
     * @return how many tags {@link #tag} has; 0 after the time, or when a signal interrupted it
     */
    public int await(long maxNanos) throws PosixException {
        int ready = waitFor(maxNanos);
        return ready < 0 && CLibrary.errno() == Errno.EINTR ? 0 : CLibrary.check(ready, "epoll_wait");
    }

    private int waitFor(long maxNanos) {
        try {
            CFunction precise = PWAIT2;
            return precise != null
                    ? precise.call(fd.number(), events.address(), MAX_EVENTS, timeoutAddress(maxNanos), 0)
                    : WAIT.call(fd.number(), events.address(), MAX_EVENTS, millis(maxNanos));
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Null is no limit. */
    private long timeoutAddress(long maxNanos) {
        if (maxNanos == FOREVER) {
            return 0;
        }
        timeout.set(JAVA_LONG, 0, maxNanos / NANOS_PER_SECOND);
        timeout.set(JAVA_LONG, 8, maxNanos % NANOS_PER_SECOND);
        return timeout.address();
    }

    private static int millis(long maxNanos) {
        if (maxNanos == FOREVER) {
            return -1;
        }
        return (int) Math.min(Integer.MAX_VALUE, Math.ceilDiv(maxNanos, NANOS_PER_MILLI));
    }

    /** Tag of what the last {@link #await} reported. */
    public long tag(int index) {
        return events.get(JAVA_LONG_UNALIGNED, index * EVENT_BYTES + TAG_OFFSET);
    }

    @Override
    public void close() {
        fd.close();
    }
}
