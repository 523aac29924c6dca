package io.hyperverbs.vmm.posix;

import java.lang.ref.Reference;

/**
 * The packets of a network interface, as its descriptor from {@link TunDevice} gives them, each behind a header. One thread
 * reads, any may write; neither allocates.
 */
public final class PacketFile implements AutoCloseable {
    private static final CFunction READV = CFunction.of("readv");
    private static final CFunction WRITEV = CFunction.of("writev");

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
     * Takes the next packet that the kernel sends, with its header.
     *
     * @param room whose pieces it goes to; of a longer packet the rest is lost
     * @return its bytes without the header; 0 if there is none now
     */
    public int read(PacketVector room) throws PosixException {
        long bytes = checked(transfer(READV, room), "readv");
        return bytes == 0 ? 0 : (int) bytes - PacketVector.HEADER_BYTES;
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
    public boolean write(PacketVector packet) throws PosixException {
        if (packet.packetBytes() == 0) {
            return false;
        }
        long bytes = transfer(WRITEV, packet);
        if (bytes < 0 && (CLibrary.errno() == Errno.EINVAL || CLibrary.errno() == Errno.EIO)) {
            return false;
        }
        return checked(bytes, "writev") > 0;
    }

    private long transfer(CFunction call, PacketVector packet) {
        try {
            return call.callLong(fd.number(), packet.vectors().address(), packet.count());
        } finally {
            Reference.reachabilityFence(packet);
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
