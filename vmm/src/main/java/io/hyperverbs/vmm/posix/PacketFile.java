package io.hyperverbs.vmm.posix;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The packets of a network interface, as its descriptor from {@link TunDevice} gives them. One thread reads, any may write;
 * neither allocates.
 */
public final class PacketFile implements AutoCloseable {
    private static final MethodHandle READ =
            CLibrary.link("read", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle WRITE =
            CLibrary.link("write", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));

    private final Fd fd;
    private final Epoll readable;

    /**
     * @param fd which this owns from now on
     */
    public PacketFile(Fd fd) throws PosixException {
        this.fd = fd;
        this.readable = Epoll.create();
        readable.add(fd.number(), 0);
    }

    /**
     * Takes the next packet that the kernel sends.
     *
     * @param room for a packet; of a longer one the rest is lost
     * @return its bytes; 0 if there is none now
     */
    public int read(MemorySegment room) throws PosixException {
        try {
            return (int)
                    checked((long) READ.invokeExact(CLibrary.capture(), fd.number(), room, room.byteSize()), "read");
        } catch (PosixException e) {
            throw e;
        } catch (Throwable t) {
            throw CLibrary.bug(t);
        }
    }

    /**
     * Waits for a packet, after {@link #read} found none. May return without one.
     *
     * @param maxNanos or {@link Epoll#FOREVER}
     */
    public void await(long maxNanos) throws PosixException {
        int _ = readable.await(maxNanos);
    }

    /**
     * Gives the kernel a packet that has come.
     *
     * @return whether it took it: not a malformed one, nor while the interface is down
     */
    public boolean write(MemorySegment packet) throws PosixException {
        try {
            long written = (long) WRITE.invokeExact(CLibrary.capture(), fd.number(), packet, packet.byteSize());
            if (written < 0 && (CLibrary.errno() == Errno.EINVAL || CLibrary.errno() == Errno.EIO)) {
                return false;
            }
            return checked(written, "write") > 0;
        } catch (PosixException e) {
            throw e;
        } catch (Throwable t) {
            throw CLibrary.bug(t);
        }
    }

    private static long checked(long result, String what) throws PosixException {
        if (result >= 0) {
            return result;
        }
        int errno = CLibrary.errno();
        if (errno == Errno.EAGAIN || errno == Errno.EINTR) {
            return 0;
        }
        throw new PosixException(what, errno);
    }

    @Override
    public void close() {
        readable.close();
        fd.close();
    }
}
