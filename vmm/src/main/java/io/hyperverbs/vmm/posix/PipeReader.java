package io.hyperverbs.vmm.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Objects;

/**
 * The read end of a {@link Pipe}. It ends when all copies of the write end are closed. One thread at a time, but {@link
 * #available}, which others may call until it is closed.
 */
public final class PipeReader extends InputStream {
    private static final int MAX_BYTES = 8 << 10;
    private static final long FIONREAD = 0x541b;
    private static final short POLLIN = 1;
    private static final int FOR_EVER = -1;

    /** {@code struct pollfd}: descriptor, events asked for, events seen. */
    private static final long POLLFD_BYTES = 8;

    private static final long EVENTS = 4;

    private static final CFunction READ = CFunction.of("read");
    private static final CFunction POLL = CFunction.of("poll");

    private final Fd fd;
    private final MemorySegment buffer = Arena.ofAuto().allocate(MAX_BYTES);
    private final MemorySegment asked = Arena.ofAuto().allocate(POLLFD_BYTES, Integer.BYTES);

    /**
     * @param fd the read end, which this owns from now on
     */
    PipeReader(Fd fd) throws PosixException {
        this.fd = fd;
        int _ = fd.fcntl(Pipe.F_SETFL, Pipe.O_NONBLOCK, "fcntl F_SETFL");
        asked.set(JAVA_INT, 0, fd.number());
        asked.set(JAVA_SHORT, EVENTS, POLLIN);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        int taken = length == 0 ? 0 : readNow(bytes, offset, length);
        while (taken == 0 && length > 0) {
            awaitReadable();
            taken = readNow(bytes, offset, length);
        }
        return taken;
    }

    /**
     * Takes what is there, and does not wait: who writes may have opened the pipe again, and read from it too.
     *
     * @return how many bytes; 0: none at the moment; -1: the end
     */
    public int readNow(byte[] bytes) throws PosixException {
        return readNow(bytes, 0, bytes.length);
    }

    private int readNow(byte[] bytes, int offset, int length) throws PosixException {
        while (true) {
            long got = READ.callLong(fd.number(), buffer.address(), Math.min(length, MAX_BYTES));
            if (got >= 0) {
                MemorySegment.copy(buffer, JAVA_BYTE, 0, bytes, offset, (int) got);
                return got == 0 ? -1 : (int) got;
            }
            if (CLibrary.errno() == Errno.EAGAIN) {
                return 0;
            }
            if (CLibrary.errno() != Errno.EINTR) {
                throw new PosixException("read", CLibrary.errno());
            }
        }
    }

    /** Waits until there is something to read, or the end, and takes nothing. */
    public void awaitReadable() throws PosixException {
        try {
            while (POLL.call(asked.address(), 1, FOR_EVER) < 0) {
                if (CLibrary.errno() != Errno.EINTR) {
                    throw new PosixException("poll", CLibrary.errno());
                }
            }
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** How many bytes were written and not read. */
    @Override
    public int available() throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(JAVA_INT);
            fd.ioctl(FIONREAD, bytes, "ioctl FIONREAD");
            return bytes.get(JAVA_INT, 0);
        }
    }

    @Override
    public void close() {
        fd.close();
    }
}
