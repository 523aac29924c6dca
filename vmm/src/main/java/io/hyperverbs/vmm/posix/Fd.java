package io.hyperverbs.vmm.posix;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An open file descriptor, with one owner who closes it. Nobody may use it while it is closed:
 * Linux gives the number to the next file at once.
 */
public final class Fd implements AutoCloseable {
    private static final int F_DUPFD_CLOEXEC = 1030;

    private static final MethodHandle CLOSE = CLibrary.link("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle FCNTL = CLibrary.link(
            "fcntl", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT), Linker.Option.firstVariadicArg(2));

    private static final MethodHandle IOCTL = CLibrary.link(
            "ioctl", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS), Linker.Option.firstVariadicArg(2));

    private static final MethodHandle OPEN = CLibrary.link(
            "open", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT), Linker.Option.firstVariadicArg(2));

    private final int number;
    private final AtomicBoolean closed = new AtomicBoolean();

    Fd(int number) {
        this.number = number;
    }

    /** Opens a file that is there, with the flags of {@code open(2)}. */
    static Fd open(Path file, int flags) throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            int number = (int) OPEN.invokeExact(CLibrary.capture(), arena.allocateFrom(file.toString()), flags);
            return new Fd(CLibrary.check(number, "open " + file));
        } catch (PosixException e) {
            throw e;
        } catch (Throwable t) {
            throw CLibrary.bug(t);
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
        try {
            return CLibrary.check((int) FCNTL.invokeExact(CLibrary.capture(), number(), command, argument), what);
        } catch (PosixException e) {
            throw e;
        } catch (Throwable t) {
            throw CLibrary.bug(t);
        }
    }

    /**
     * A request of {@code ioctl(2)}.
     *
     * @param argument where what is asked or answered is, or a number as an address
     */
    void ioctl(long request, MemorySegment argument, String what) throws PosixException {
        try {
            CLibrary.check((int) IOCTL.invokeExact(CLibrary.capture(), number(), request, argument), what);
        } catch (PosixException e) {
            throw e;
        } catch (Throwable t) {
            throw CLibrary.bug(t);
        }
    }

    /** Closes it; later calls do nothing. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            try {
                // Whatever close reports, the number is free afterwards.
                int ignored = (int) CLOSE.invokeExact(CLibrary.capture(), number);
            } catch (Throwable t) {
                throw CLibrary.bug(t);
            }
        }
    }

    @Override
    public String toString() {
        return "fd " + number;
    }
}
