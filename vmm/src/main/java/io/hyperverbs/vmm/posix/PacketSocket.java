package io.hyperverbs.vmm.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One end of a SOCK_SEQPACKET connection, which keeps message borders and carries descriptors
 * (SCM_RIGHTS). One thread receives, and is the one to close; any thread may send or {@link
 * #shutdown}.
 */
public final class PacketSocket implements AutoCloseable {
    /** The largest message. */
    public static final int MAX_PACKET_BYTES = 64 * 1024;

    private static final int MSG_CTRUNC = 0x8;
    private static final int MSG_TRUNC = 0x20;
    private static final int MSG_NOSIGNAL = 0x4000;
    private static final int MSG_CMSG_CLOEXEC = 0x40000000;

    private final Fd fd;
    private final boolean takesDescriptors;
    private final MessageHeader incoming = new MessageHeader(MAX_PACKET_BYTES);
    private final MessageHeader outgoing = new MessageHeader(MAX_PACKET_BYTES);
    private final Object sending = new Object();
    private final Object life = new Object();
    private boolean closed;

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
        if (bytes.length == 0
                || bytes.length > MAX_PACKET_BYTES
                || descriptors.size() > MessageHeader.MAX_DESCRIPTORS) {
            throw new PosixException(
                    "packet of " + bytes.length + " bytes with " + descriptors.size() + " descriptors", Errno.EMSGSIZE);
        }
        synchronized (sending) {
            synchronized (life) {
                if (closed) {
                    throw new PosixException("send", Errno.EPIPE);
                }
            }
            // close() waits for this lock, so the descriptor stays ours meanwhile.
            MemorySegment.copy(bytes, 0, outgoing.payload(), JAVA_BYTE, 0, bytes.length);
            MemorySegment message = outgoing.toSend(bytes.length, descriptors);
            Shortage shortage = new Shortage();
            while (true) {
                try {
                    SocketCalls.sendmsg(fd, message, MSG_NOSIGNAL);
                    return;
                } catch (PosixException e) {
                    shortage.waitOut(e);
                }
            }
        }
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

    /** Zero at the end. */
    private long receiveMessage() throws PosixException {
        Shortage shortage = new Shortage();
        while (true) {
            try {
                return SocketCalls.recvmsg(fd, incoming.toReceive(takesDescriptors), MSG_CMSG_CLOEXEC);
            } catch (PosixException e) {
                if (e.errno() == Errno.ECONNRESET) {
                    return 0;
                }
                shortage.waitOut(e);
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
        synchronized (sending) {
            synchronized (life) {
                closed = true;
                fd.close();
            }
        }
    }
}
