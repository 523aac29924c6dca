package io.hyperverbs.frontend.executable;

import io.hyperverbs.frontend.event.CmBell;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.posix.Fd;
import io.hyperverbs.vmm.posix.Pipe;
import io.hyperverbs.vmm.posix.PipeWriter;
import io.hyperverbs.vmm.posix.PosixException;

/**
 * Wakes an executable through a pipe of which it has the read end: a byte each time, and the end of the pipe when no
 * event comes any more. The write end is the driver's alone, so that nobody else can make it one that blocks. Any thread.
 */
final class PipeBell implements CmBell, AutoCloseable {
    private static final byte[] RING = {1};

    private final Fd readEnd;
    private final PipeWriter writer;
    private boolean isClosed;

    private PipeBell(Fd readEnd, Fd writeEnd) {
        this.readEnd = readEnd;
        this.writer = new PipeWriter(writeEnd);
    }

    /** One with a new pipe. */
    static PipeBell create() throws PosixException {
        Pipe.Ends ends = Pipe.ends();
        return new PipeBell(ends.readEnd(), ends.writeEnd());
    }

    /** The executable's end, which whoever passes it on closes. */
    Fd readEnd() {
        return readEnd;
    }

    @Override
    public synchronized void ring() {
        if (isClosed) {
            return;
        }
        try {
            // A full pipe is readable anyway.
            boolean _ = writer.write(RING, RING.length);
        } catch (PosixException e) {
            // Nobody reads any more: the executable's own doing.
        }
    }

    @Override
    public void fail(VerbsStatus status, String reason) {
        close();
    }

    @Override
    public synchronized void close() {
        if (!isClosed) {
            isClosed = true;
            writer.close();
        }
    }
}
