package io.hyperverbs.vmm.posix;

import java.nio.file.Path;

/**
 * A pipe whose read end becomes the standard input of a process. Writing never waits: what does not
 * fit is refused as a whole, and may be tried again when the process has read. Callable from any
 * thread.
 */
public final class InputPipe implements AutoCloseable {
    /** What is written as a whole or not at all. */
    public static final int MAX_BYTES = PipeWriter.MAX_RECORD_BYTES;

    private final Fd readEnd;
    private final PipeWriter writer;
    private boolean closed;

    private InputPipe(Fd readEnd, PipeWriter writer) {
        this.readEnd = readEnd;
        this.writer = writer;
    }

    /** Makes one. */
    public static InputPipe create() throws PosixException {
        Pipe.Ends ends = Pipe.ends();
        return new InputPipe(ends.readEnd(), new PipeWriter(ends.writeEnd()));
    }

    /** A file of this process that opens the read end, until {@link #handOver}. */
    public Path readEnd() {
        return Path.of("/proc/self/fd", Integer.toString(readEnd.number()));
    }

    /** The read end itself, for a process that is started with it; stays this object's. */
    public Fd input() {
        return readEnd;
    }

    /** The process has the read end, and nobody else from now on. */
    public void handOver() {
        readEnd.close();
    }

    /**
     * Writes all of it, or nothing if there is no room.
     *
     * @param bytes at most {@link #MAX_BYTES}
     * @return whether it was written
     * @throws PosixException EPIPE if nobody will ever read it, or this is closed
     */
    public synchronized boolean write(byte[] bytes) throws PosixException {
        if (closed) {
            throw new PosixException("write", Errno.EPIPE);
        }
        return writer.write(bytes, bytes.length);
    }

    /** The reader finds the end after what was written. Later calls do nothing. */
    @Override
    public synchronized void close() {
        closed = true;
        writer.close();
        readEnd.close();
    }
}
