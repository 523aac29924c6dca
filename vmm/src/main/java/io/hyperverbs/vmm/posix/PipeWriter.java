package io.hyperverbs.vmm.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/** Writes records to a {@link Pipe} without ever waiting. One thread at a time. */
public final class PipeWriter implements AutoCloseable {
    /** What a pipe takes as a whole or not at all ({@code PIPE_BUF}). */
    public static final int MAX_RECORD_BYTES = 4096;

    private static final CFunction WRITE = CFunction.of("write");

    private final Fd fd;
    private final MemorySegment buffer = Arena.ofAuto().allocate(MAX_RECORD_BYTES);

    /**
     * @param fd the write end, which this owns from now on
     */
    public PipeWriter(Fd fd) {
        this.fd = fd;
    }

    /**
     * Writes the whole record, or nothing if the pipe is full.
     *
     * @param length of it, at most {@link #MAX_RECORD_BYTES}
     * @return whether it was written
     * @throws PosixException if nobody will ever read it
     */
    public boolean write(byte[] bytes, int length) throws PosixException {
        MemorySegment.copy(bytes, 0, buffer, JAVA_BYTE, 0, length);
        try {
            long written = WRITE.callLong(fd.number(), buffer.address(), length);
            if (written < 0 && CLibrary.errno() != Errno.EAGAIN) {
                throw new PosixException("write", CLibrary.errno());
            }
            return written == length;
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public void close() {
        fd.close();
    }
}
