package io.hyperverbs.vmm.hypercall;

import com.google.protobuf.InvalidProtocolBufferException;
import io.hyperverbs.vmm.hypercall.wire.HypercallRequest;
import io.hyperverbs.vmm.io.ProtocolViolation;
import io.hyperverbs.vmm.posix.Fd;
import io.hyperverbs.vmm.posix.Packet;
import io.hyperverbs.vmm.posix.PacketSocket;
import io.hyperverbs.vmm.posix.PosixException;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A second connection of a device domain, for one call at a time whose answer needs no waiting: its
 * caller reads the answer itself, and the thread that reads the call here answers it. Two threads
 * take part instead of four, and a registration waits for that (docs/adr/0045). Any thread.
 */
public final class SynchronousPort implements AutoCloseable {
    /** Calls that are answered by who serves them, before the next one. */
    private static final Set<HypercallRequest.CallCase> AT_ONCE = EnumSet.of(
            HypercallRequest.CallCase.ALLOCATE_FRAMES,
            HypercallRequest.CallCase.FREE_FRAMES,
            HypercallRequest.CallCase.GRANT,
            HypercallRequest.CallCase.REVOKE_GRANT,
            HypercallRequest.CallCase.FIND_DOMAIN);

    private static final Logger LOG = LoggerFactory.getLogger(SynchronousPort.class);

    private final String domain;
    private final HypercallService service;
    private final PacketSocket socket;

    private SynchronousPort(String domain, HypercallService service, PacketSocket socket) {
        this.domain = domain;
        this.service = service;
        this.socket = socket;
    }

    /** Where it is served, and the domain's end of it, to be passed on. */
    public record Opened(SynchronousPort port, Fd domainEnd) {}

    /** Serves a new connection from now on. */
    public static Opened open(String domain, HypercallService service) throws PosixException {
        PacketSocket.Pair pair = PacketSocket.pair();
        try {
            SynchronousPort port = new SynchronousPort(domain, service, pair.own());
            HypercallConnection connection =
                    new HypercallConnection(pair.own(), pair.own().peer());
            Thread.ofPlatform().daemon().name("hypercalls-sync-" + domain).start(() -> port.serve(connection));
            return new Opened(port, pair.other());
        } catch (PosixException | RuntimeException | Error e) {
            pair.own().close();
            pair.other().close();
            throw e;
        }
    }

    private void serve(HypercallConnection connection) {
        try (socket) {
            for (Packet packet = socket.receive(); packet != null; packet = socket.receive()) {
                serve(connection, connection.callStarted(packet.bytes()));
            }
        } catch (InvalidProtocolBufferException | ProtocolViolation e) {
            LOG.warn("{}: connection of synchronous hypercalls closed: {}", domain, e.getMessage());
        } catch (IOException | RuntimeException | Error e) {
            LOG.warn("{}: synchronous hypercalls failed", domain, e);
            service.failed(e);
        }
    }

    private void serve(HypercallConnection connection, HypercallRequest request) {
        if (!AT_ONCE.contains(request.getCallCase())) {
            throw new ProtocolViolation(request.getCallCase() + " is no synchronous call");
        }
        service.serve(request, connection);
        // Its one caller reads; only a shortage of the computer keeps an answer back.
        connection.sendReplies();
    }

    /** Ends the connection: a call that is under way fails. */
    @Override
    public void close() {
        socket.shutdown();
    }
}
