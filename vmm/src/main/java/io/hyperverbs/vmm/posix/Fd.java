package io.hyperverbs.vmm.posix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An open file descriptor, with one owner who closes it. Nobody may use it while it is closed:
 * Linux gives the number to the next file at once.
 */
public final class Fd implements AutoCloseable {
    private static final int F_DUPFD_CLOEXEC = 1030;

    private static final CFunction CLOSE = CFunction.of("close");
    private static final CFunction FCNTL = CFunction.of("fcntl");
    private static final CFunction IOCTL = CFunction.of("ioctl");
    private static final CFunction OPEN = CFunction.of("open");

    private final int number;
    private final AtomicBoolean closed = new AtomicBoolean();

    Fd(int number) {
        this.number = number;
    }

    /** Opens a file that is there, with the flags of {@code open(2)}. */
    static Fd open(Path file, int flags) throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            int number = OPEN.call(arena.allocateFrom(file.toString()).address(), flags);
            return new Fd(CLibrary.check(number, "open " + file));
        }
    }

    /** The number, for a system call made at once. */
    public int number() {
        if (closed.get()) {
            throw new IllegalStateException("descriptor " + number + " is closed");
        }
        return number;
    }

    /** Returns another descriptor of the same open file. */
    public Fd duplicate() throws PosixException {
        return new Fd(fcntl(F_DUPFD_CLOEXEC, 0, "fcntl F_DUPFD_CLOEXEC"));
    }

    int fcntl(int command, int argument, String what) throws PosixException {
        return CLibrary.check(FCNTL.call(number(), command, argument), what);
    }

    /**
     * A request of {@code ioctl(2)}.
     *
     * @param argument where what is asked or answered is, or a number as an address
     */
    void ioctl(long request, MemorySegment argument, String what) throws PosixException {
        CLibrary.check(IOCTL.call(number(), request, argument.address()), what);
    }

    /** Closes it; later calls do nothing. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            // Whatever close reports, the number is free afterwards.
            int _ = CLOSE.call(number);
        }
    }

    @Override
    public String toString() {
        return "fd " + number;
    }
}
