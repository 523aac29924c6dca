package io.hyperverbs.vmm.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * A pipe whose write end goes to another process. Whoever holds that end may fill it, and no more
 * than the kernel's 64 KiB; it does not block, unless its holder changes that, who then waits.
 *
 * @param input ends when all copies of the write end are closed; its closing closes the read end.
 *     One thread at a time
 * @param writeEnd see {@link PipeWriter}
 */
public record Pipe(PipeReader input, Fd writeEnd) {
    private static final int O_CLOEXEC = 0x80000;
    static final int O_NONBLOCK = 0x800;
    static final int F_SETFL = 4;

    private static final CFunction PIPE2 = CFunction.of("pipe2");

    /** Makes one. */
    public static Pipe create() throws PosixException {
        Ends ends = ends();
        try {
            return new Pipe(new PipeReader(ends.readEnd()), ends.writeEnd());
        } catch (PosixException | RuntimeException | Error e) {
            ends.readEnd().close();
            ends.writeEnd().close();
            throw e;
        }
    }

    /** A file of this process that opens the write end again; who writes there waits while the pipe is full. */
    public Path waitingWriteEnd() {
        return Path.of("/proc/self/fd", Integer.toString(writeEnd.number()));
    }

    /** Both ends of one; the write end does not block. Whoever has them closes them. */
    public record Ends(Fd readEnd, Fd writeEnd) {}

    /** Makes one whose read end goes to another process as well, or alone. */
    public static Ends ends() throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment ends = arena.allocate(2L * Integer.BYTES, Integer.BYTES);
            CLibrary.check(PIPE2.call(ends.address(), O_CLOEXEC), "pipe2");
            Fd readEnd = new Fd(ends.getAtIndex(JAVA_INT, 0));
            Fd writeEnd = new Fd(ends.getAtIndex(JAVA_INT, 1));
            try {
                writeEnd.fcntl(F_SETFL, O_NONBLOCK, "fcntl F_SETFL");
                return new Ends(readEnd, writeEnd);
            } catch (PosixException | RuntimeException | Error e) {
                readEnd.close();
                writeEnd.close();
                throw e;
            }
        }
    }
}
