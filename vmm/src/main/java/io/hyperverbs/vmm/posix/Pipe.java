package io.hyperverbs.vmm.posix;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Objects;

/**
 * A pipe whose write end goes to another process. Whoever holds that end may fill it, and no more
 * than the kernel's 64 KiB; it does not block, unless its holder changes that, who then waits.
 *
 * @param input ends when all copies of the write end are closed; its closing closes the read end.
 *     One thread at a time
 * @param writeEnd see {@link PipeWriter}
 */
public record Pipe(InputStream input, Fd writeEnd) {
    private static final int O_CLOEXEC = 0x80000;
    private static final int O_NONBLOCK = 0x800;
    private static final int F_SETFL = 4;

    private static final MethodHandle PIPE2 =
            CLibrary.link("pipe2", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle READ =
            CLibrary.link("read", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));

    /** Makes one. */
    public static Pipe create() throws PosixException {
        Ends ends = ends();
        return new Pipe(new ReadEnd(ends.readEnd()), ends.writeEnd());
    }

    /** Both ends of one; the write end does not block. Whoever has them closes them. */
    public record Ends(Fd readEnd, Fd writeEnd) {}

    /** Makes one whose read end goes to another process as well, or alone. */
    public static Ends ends() throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment ends = arena.allocate(2L * Integer.BYTES, Integer.BYTES);
            CLibrary.check((int) PIPE2.invokeExact(CLibrary.capture(), ends, O_CLOEXEC), "pipe2");
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
        } catch (PosixException e) {
            throw e;
        } catch (Throwable t) {
            throw CLibrary.bug(t);
        }
    }

    private static final class ReadEnd extends InputStream {
        private static final int MAX_BYTES = 8 << 10;

        private final Fd fd;
        private final MemorySegment buffer = Arena.ofAuto().allocate(MAX_BYTES);

        ReadEnd(Fd fd) {
            this.fd = fd;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, bytes.length);
            if (length == 0) {
                return 0;
            }
            try {
                while (true) {
                    long got = (long) READ.invokeExact(
                            CLibrary.capture(), fd.number(), buffer, (long) Math.min(length, MAX_BYTES));
                    if (got >= 0) {
                        MemorySegment.copy(buffer, JAVA_BYTE, 0, bytes, offset, (int) got);
                        return got == 0 ? -1 : (int) got;
                    }
                    if (CLibrary.errno() != Errno.EINTR) {
                        throw new PosixException("read", CLibrary.errno());
                    }
                }
            } catch (IOException e) {
                throw e;
            } catch (Throwable t) {
                throw CLibrary.bug(t);
            }
        }

        @Override
        public void close() {
            fd.close();
        }
    }
}
