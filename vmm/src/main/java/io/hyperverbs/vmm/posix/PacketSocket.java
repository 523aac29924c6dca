package io.hyperverbs.vmm.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One end of a SOCK_SEQPACKET connection, which keeps message borders and carries descriptors
 * (SCM_RIGHTS). One thread receives, and is the one to close; any thread may send or {@link
 * #shutdown}.
 */
public final class PacketSocket implements AutoCloseable {
    /** The largest message. */
    public static final int MAX_PACKET_BYTES = 64 * 1024;

    private static final int MSG_DONTWAIT = 0x40;
    private static final int MSG_CTRUNC = 0x8;
    private static final int MSG_TRUNC = 0x20;
    private static final int MSG_NOSIGNAL = 0x4000;
    private static final int MSG_CMSG_CLOEXEC = 0x40000000;

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Fd fd;
    private final boolean takesDescriptors;
    private final MessageHeader incoming = new MessageHeader(MAX_PACKET_BYTES);
    private final MessageHeader outgoing = new MessageHeader(MAX_PACKET_BYTES);
    private final ReentrantLock sending = new ReentrantLock();
    private final Object life = new Object();
    private boolean closed;
    private volatile boolean waitsInJava;

    PacketSocket(Fd fd, boolean takesDescriptors) {
        this.fd = fd;
        this.takesDescriptors = takesDescriptors;
    }

    /** Connects to a listening socket, of a peer that is trusted to pass descriptors. */
    public static PacketSocket connect(Path path) throws PosixException {
        Fd fd = SocketCalls.socket();
        try {
            SocketCalls.connect(fd, path);
            return new PacketSocket(fd, true);
        } catch (PosixException e) {
            fd.close();
            throw e;
        }
    }

    /**
     * A connection whose other end a descriptor stands for, which is trusted to pass descriptors; it
     * belongs to the socket from now on.
     */
    public static PacketSocket of(Fd connected) {
        return new PacketSocket(connected, true);
    }

    /** A new connection. */
    public static Pair pair() throws PosixException {
        Fd[] ends = SocketCalls.pair();
        try {
            return new Pair(new PacketSocket(ends[0], false), ends[1]);
        } catch (RuntimeException | Error e) {
            // Its buffers did not fit into memory.
            ends[0].close();
            ends[1].close();
            throw e;
        }
    }

    /** Our end, which takes no descriptors, and the other end, to be passed on. */
    public record Pair(PacketSocket own, Fd other) {}

    /** Credentials of the peer. */
    public PeerCredentials peer() throws PosixException {
        return SocketCalls.peerCredentials(fd);
    }

    /**
     * Sends one message; blocks while the peer does not read.
     *
     * @param bytes 1 to {@link #MAX_PACKET_BYTES}
     * @param descriptors stay the caller's
     *     <p>A shortage of the computer is waited out for some seconds: a lost message would be the
     *     end of the connection.
     * @throws PosixException EPIPE once either side is shut
     */
    public void send(byte[] bytes, List<Fd> descriptors) throws PosixException {
        checkSize(bytes, descriptors);
        sending.lock();
        try {
            MemorySegment message = message(bytes, descriptors);
            Shortage shortage = new Shortage();
            while (true) {
                try {
                    SocketCalls.sendmsg(fd, message, MSG_NOSIGNAL);
                    return;
                } catch (PosixException e) {
                    shortage.waitOut(e);
                }
            }
        } finally {
            sending.unlock();
        }
    }

    /**
     * Sends one message as {@link #send} does if that needs no waiting: not for a peer that does not
     * read, not for another sender, nor for room in this computer.
     *
     * @return false if it was not sent, for whatever reason
     */
    public boolean trySend(byte[] bytes, List<Fd> descriptors) throws PosixException {
        checkSize(bytes, descriptors);
        if (!sending.tryLock()) {
            return false;
        }
        try {
            SocketCalls.sendmsg(fd, message(bytes, descriptors), MSG_NOSIGNAL | MSG_DONTWAIT);
            return true;
        } catch (PosixException e) {
            return false;
        } finally {
            sending.unlock();
        }
    }

    private static void checkSize(byte[] bytes, List<Fd> descriptors) throws PosixException {
        if (bytes.length == 0
                || bytes.length > MAX_PACKET_BYTES
                || descriptors.size() > MessageHeader.MAX_DESCRIPTORS) {
            throw new PosixException(
                    "packet of " + bytes.length + " bytes with " + descriptors.size() + " descriptors", Errno.EMSGSIZE);
        }
    }

    /** Caller holds {@code sending}, which close() waits for: the descriptor stays ours meanwhile. */
    private MemorySegment message(byte[] bytes, List<Fd> descriptors) throws PosixException {
        synchronized (life) {
            if (closed) {
                throw new PosixException("send", Errno.EPIPE);
            }
        }
        MemorySegment.copy(bytes, 0, outgoing.payload(), JAVA_BYTE, 0, bytes.length);
        return outgoing.toSend(bytes.length, descriptors);
    }

    /**
     * Waits for the next message; null when the connection ended. If this process has no room for
     * the descriptors of a message, it comes without any.
     *
     * @throws PosixException EMSGSIZE for a message that is too long, or brought descriptors where
     *     none are taken: the peer is not to be served any longer
     */
    public @Nullable Packet receive() throws PosixException {
        long count = receiveMessage();
        List<Fd> descriptors = takesDescriptors ? incoming.descriptors() : List.of();
        if ((incoming.flags() & MSG_TRUNC) != 0 || ((incoming.flags() & MSG_CTRUNC) != 0 && !takesDescriptors)) {
            descriptors.forEach(Fd::close);
            throw new PosixException("packet longer than allowed", Errno.EMSGSIZE);
        }
        if ((incoming.flags() & MSG_CTRUNC) != 0) {
            // This process has no descriptors left: those that did arrive are of no use alone.
            descriptors.forEach(Fd::close);
            descriptors = List.of();
        }
        if (count == 0) {
            descriptors.forEach(Fd::close);
            return null;
        }
        byte[] bytes = new byte[(int) count];
        MemorySegment.copy(incoming.payload(), JAVA_BYTE, 0, bytes, 0, bytes.length);
        return new Packet(bytes, descriptors);
    }

    /**
     * Has {@link #receive} look each millisecond instead of waiting in the kernel, from its next message on: a JVM that
     * ends waits 300 ms for threads that are in native code. Any thread.
     */
    public void waitInJava() {
        waitsInJava = true;
    }

    /** Zero at the end. */
    private long receiveMessage() throws PosixException {
        Shortage shortage = new Shortage();
        while (true) {
            int flags = waitsInJava ? MSG_CMSG_CLOEXEC | MSG_DONTWAIT : MSG_CMSG_CLOEXEC;
            try {
                return SocketCalls.recvmsg(fd, incoming.toReceive(takesDescriptors), flags);
            } catch (PosixException e) {
                switch (e.errno()) {
                    case Errno.ECONNRESET -> {
                        return 0;
                    }
                    case Errno.EAGAIN -> LockSupport.parkNanos(this, LOOK_NANOS);
                    default -> shortage.waitOut(e);
                }
            }
        }
    }

    /** Ends the connection: threads blocked in receive or send return. */
    public void shutdown() {
        synchronized (life) {
            if (!closed) {
                SocketCalls.shutdown(fd);
            }
        }
    }

    /** Ends the connection and gives the descriptor back. The receiving thread alone. */
    @Override
    public void close() {
        shutdown();
        sending.lock();
        try {
            synchronized (life) {
                closed = true;
                fd.close();
            }
        } finally {
            sending.unlock();
        }
    }
}
