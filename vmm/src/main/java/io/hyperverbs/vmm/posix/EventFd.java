package io.hyperverbs.vmm.posix;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A counter that one process raises and another waits for. Callable from any thread; allocates
 * nothing after its making.
 *
 * <p>Whoever holds a descriptor of it may also make it blocking and fill its counter. So a trusted
 * process polls what a guest can write, and neither reads nor writes it.
 */
public final class EventFd implements AutoCloseable {
    private static final int EFD_NONBLOCK = 0x800;
    private static final int EFD_CLOEXEC = 0x80000;

    private static final CFunction EVENTFD = CFunction.of("eventfd");
    private static final CFunction WRITE = CFunction.of("write");
    private static final CFunction READ = CFunction.of("read");
    private static final MemorySegment ONE = Arena.global().allocateFrom(JAVA_LONG, 1);

    private final Fd fd;
    private final MemorySegment count = Arena.ofAuto().allocate(JAVA_LONG);

    private EventFd(Fd fd) {
        this.fd = fd;
    }

    /** Makes one with count zero, non-blocking. */
    public static EventFd create() throws PosixException {
        int number = EVENTFD.call(0, EFD_NONBLOCK | EFD_CLOEXEC);
        return new EventFd(new Fd(CLibrary.check(number, "eventfd")));
    }

    /** Takes over a descriptor that was received. */
    public static EventFd of(Fd fd) {
        return new EventFd(fd);
    }

    public Fd fd() {
        return fd;
    }

    /** Raises the counter. A full counter is left alone: it is readable anyway. */
    public void signal() {
        long _ = WRITE.callLong(fd.number(), ONE.address(), Long.BYTES);
    }

    /** Takes the count and sets it to zero; zero if nobody signalled. One thread at a time. */
    public long drain() {
        long got = READ.callLong(fd.number(), count.address(), Long.BYTES);
        return got == 8 ? count.get(JAVA_LONG, 0) : 0;
    }

    @Override
    public void close() {
        fd.close();
    }
}
