package io.hyperverbs.vmm.posix;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.hyperverbs.verbs.ip.PacketOffload;
import io.hyperverbs.verbs.ip.PacketPieces;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The packets of a network interface, as its descriptor from {@link TunDevice} gives them, each behind an {@link
 * OffloadHeader}. One thread reads, any may write, one after the other; neither allocates. Memory for packets is not of the
 * heap.
 */
public final class PacketFile implements AutoCloseable {
    private static final FunctionDescriptor SHAPE = FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle READV = CLibrary.link("readv", SHAPE);
    private static final MethodHandle WRITEV = CLibrary.link("writev", SHAPE);

    private final Fd fd;
    private final Epoll readable;
    private final MovedPacket read = new MovedPacket(1);
    private final MovedPacket written = new MovedPacket(PacketPieces.MOST);
    private final PacketPieces whole = new PacketPieces();
    private final PacketOffload nothing = new PacketOffload();
    private final Lock writing = new ReentrantLock();

    /** What a call reads or writes: an array of {@code struct iovec}, of which the first is the header. */
    private static final class MovedPacket {
        private static final long VECTOR_BYTES = 16;

        final MemorySegment header;
        final MemorySegment vectors;

        MovedPacket(int pieces) {
            Arena arena = Arena.ofAuto();
            header = arena.allocate(OffloadHeader.SIZE_BYTES, Long.BYTES);
            vectors = arena.allocate((1 + pieces) * VECTOR_BYTES, VECTOR_BYTES);
            set(0, header.address(), OffloadHeader.SIZE_BYTES);
        }

        void set(int vector, long address, long lengthBytes) {
            vectors.set(JAVA_LONG, vector * VECTOR_BYTES, address);
            vectors.set(JAVA_LONG, vector * VECTOR_BYTES + 8, lengthBytes);
        }
    }

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
     * @param left is set to what the kernel has left to do
     * @return its bytes; 0 if there is none now
     */
    public int read(MemorySegment room, PacketOffload left) throws PosixException {
        read.set(1, room.address(), room.byteSize());
        try {
            long bytes = checked((long) READV.invokeExact(CLibrary.capture(), fd.number(), read.vectors, 2), "readv");
            if (bytes == 0) {
                return 0;
            }
            OffloadHeader.read(read.header, left);
            return (int) bytes - OffloadHeader.SIZE_BYTES;
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
        writing.lock();
        try {
            return writeLocked(whole.clear(packet).add(0, (int) packet.byteSize()), nothing);
        } finally {
            writing.unlock();
        }
    }

    /**
     * The same for one in pieces.
     *
     * @param left what the kernel is to do with it, if it does anything
     */
    public boolean write(PacketPieces packet, PacketOffload left) throws PosixException {
        writing.lock();
        try {
            return writeLocked(packet, left);
        } finally {
            writing.unlock();
        }
    }

    private boolean writeLocked(PacketPieces packet, PacketOffload left) throws PosixException {
        if (packet.lengthBytes(0) == 0) {
            return false;
        }
        OffloadHeader.write(written.header, left, packet.memory().get(JAVA_BYTE, packet.offset(0)) >> 4);
        for (int i = 0; i < packet.count(); i++) {
            written.set(i + 1, packet.memory().address() + packet.offset(i), packet.lengthBytes(i));
        }
        try {
            long bytes =
                    (long) WRITEV.invokeExact(CLibrary.capture(), fd.number(), written.vectors, packet.count() + 1);
            if (bytes < 0 && (CLibrary.errno() == Errno.EINVAL || CLibrary.errno() == Errno.EIO)) {
                return false;
            }
            return checked(bytes, "writev") > 0;
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
