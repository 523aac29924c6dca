package io.hyperverbs.vmm.hypercall;

import com.google.protobuf.InvalidProtocolBufferException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.wire.HypercallRequest;
import io.hyperverbs.vmm.io.ProtocolViolation;
import io.hyperverbs.vmm.posix.Packet;
import io.hyperverbs.vmm.posix.PacketListener;
import io.hyperverbs.vmm.posix.PacketSocket;
import io.hyperverbs.vmm.posix.PosixException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One domain's hypercall socket in the VMM: one thread accepts and reads, one writes replies. It
 * serves the first connection that says the token, and no other after it; bytes that are no request
 * end the connection, and harm nobody else.
 */
public final class HypercallPort implements AutoCloseable {
    /** Calls of one domain that may wait for an answer at a time. */
    public static final int MAX_PENDING_CALLS = 64;

    /** Connections with a wrong greeting before the socket is closed. */
    private static final int MAX_STRANGERS = 16;

    private static final int BACKLOG = 4;
    private static final Logger LOG = LoggerFactory.getLogger(HypercallPort.class);

    private final String domain;
    private final Path path;
    private final byte[] token;
    private final HypercallService service;
    private final PacketListener listener;
    private final Object life = new Object();
    private @Nullable PacketSocket current;
    private boolean closed;

    private HypercallPort(String domain, Path path, byte[] token, HypercallService service, PacketListener listener) {
        this.domain = domain;
        this.path = path;
        this.token = token.clone();
        this.service = service;
        this.listener = listener;
    }

    /**
     * Listens from now on.
     *
     * @param path must not exist; who may connect is for the file's mode and owner to say
     */
    public static HypercallPort open(String domain, Path path, byte[] token, HypercallService service)
            throws PosixException {
        HypercallPort port = new HypercallPort(domain, path, token, service, PacketListener.listen(path, BACKLOG));
        try {
            Thread.ofPlatform().daemon().name("hypercalls-" + domain).start(port::serve);
            return port;
        } catch (RuntimeException | Error e) {
            port.close();
            port.listener.close();
            throw e;
        }
    }

    private void serve() {
        try (listener) {
            acceptUntilKnown();
        } catch (IOException | RuntimeException | Error e) {
            // Whatever it is, it is this domain's trouble and nobody else's.
            LOG.warn("{}: hypercall socket failed", domain, e);
            service.failed(e);
        }
    }

    private void acceptUntilKnown() throws PosixException {
        for (int strangers = 0; strangers < MAX_STRANGERS; strangers++) {
            PacketSocket socket = listener.accept();
            if (socket == null || serveConnection(socket)) {
                return;
            }
        }
        LOG.warn("{}: {} connections without its token", domain, MAX_STRANGERS);
    }

    /** Serves until the connection ends; false if it never said the token. */
    private boolean serveConnection(PacketSocket socket) throws PosixException {
        synchronized (life) {
            if (closed) {
                socket.close();
                return true;
            }
            current = socket;
        }
        try (socket) {
            HypercallConnection connection = new HypercallConnection(socket, socket.peer());
            Thread writer = Thread.ofPlatform()
                    .daemon()
                    .name("hypercall-replies-" + domain)
                    .start(connection::writeReplies);
            boolean known = false;
            try {
                known = greet(connection);
                if (known) {
                    // One driver per domain: from here nobody else is heard.
                    listener.shutdown();
                    readRequests(connection);
                }
            } finally {
                if (known) {
                    socket.shutdown();
                    connection.end();
                } else {
                    connection.endAfterReplies();
                }
                join(writer);
                if (known) {
                    service.connectionLost(connection);
                }
            }
            return known;
        } finally {
            synchronized (life) {
                current = null;
            }
        }
    }

    private boolean greet(HypercallConnection connection) {
        try {
            HypercallRequest request = nextRequest(connection);
            if (request == null) {
                return false;
            }
            if (!request.hasHello()
                    || !MessageDigest.isEqual(
                            token, request.getHello().getToken().toByteArray())) {
                connection.refuse(request.getId(), VerbsStatus.EPERM, "not this domain's token");
                return false;
            }
            service.serve(request, connection);
            return true;
        } catch (IOException | ProtocolViolation e) {
            LOG.warn("{}: stranger at its hypercall socket: {}", domain, e.getMessage());
            return false;
        }
    }

    private void readRequests(HypercallConnection connection) {
        try {
            for (HypercallRequest request = nextRequest(connection);
                    request != null;
                    request = nextRequest(connection)) {
                if (request.hasHello()) {
                    throw new ProtocolViolation("second greeting");
                }
                service.serve(request, connection);
            }
        } catch (IOException | ProtocolViolation e) {
            LOG.warn("{}: hypercall connection closed: {}", domain, e.getMessage());
        }
    }

    private static @Nullable HypercallRequest nextRequest(HypercallConnection connection)
            throws PosixException, InvalidProtocolBufferException {
        Packet packet = connection.socket().receive();
        return packet == null ? null : connection.callStarted(packet.bytes());
    }

    private static void join(Thread writer) {
        try {
            writer.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the connection, if there is one, and removes the socket. */
    @Override
    public void close() {
        synchronized (life) {
            closed = true;
            listener.shutdown();
            if (current != null) {
                current.shutdown();
            }
        }
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            LOG.warn("{}: cannot remove its hypercall socket: {}", domain, e.getMessage());
        }
    }
}
