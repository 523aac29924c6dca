package io.hyperverbs.vmm.posix;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

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

    private static final MethodHandle EVENTFD =
            CLibrary.link("eventfd", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle WRITE =
            CLibrary.link("write", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle READ =
            CLibrary.link("read", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MemorySegment ONE = Arena.global().allocateFrom(JAVA_LONG, 1);

    private final Fd fd;
    private final MemorySegment count = Arena.ofAuto().allocate(JAVA_LONG);

    private EventFd(Fd fd) {
        this.fd = fd;
    }

    /** Makes one with count zero, non-blocking. */
    public static EventFd create() throws PosixException {
        try {
            int number = (int) EVENTFD.invokeExact(CLibrary.capture(), 0, EFD_NONBLOCK | EFD_CLOEXEC);
            return new EventFd(new Fd(CLibrary.check(number, "eventfd")));
        } catch (PosixException e) {
            throw e;
        } catch (Throwable t) {
            throw CLibrary.bug(t);
        }
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
        try {
            long ignored = (long) WRITE.invokeExact(CLibrary.capture(), fd.number(), ONE, 8L);
        } catch (Throwable t) {
            throw CLibrary.bug(t);
        }
    }

    /** Takes the count and sets it to zero; zero if nobody signalled. One thread at a time. */
    public long drain() {
        try {
            long got = (long) READ.invokeExact(CLibrary.capture(), fd.number(), count, 8L);
            return got == 8 ? count.get(JAVA_LONG, 0) : 0;
        } catch (Throwable t) {
            throw CLibrary.bug(t);
        }
    }

    @Override
    public void close() {
        fd.close();
    }
}
