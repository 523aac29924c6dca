package io.hyperverbs.backend.channel;

import io.grpc.BindableService;
import io.grpc.Codec;
import io.grpc.DecompressorRegistry;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.hyperverbs.backend.budget.LoopShare;
import io.hyperverbs.backend.budget.LoopShares;
import io.hyperverbs.backend.session.RejectedAct;
import io.hyperverbs.backend.session.Rejections;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.vmm.posix.ThreadClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;

/** The listening socket of one guest, with its two services and its event loop. Any thread. */
public final class DeviceServer implements AutoCloseable {
    /** {@code sun_path} has 108 bytes with its final zero. */
    private static final int MAX_PATH_BYTES = 107;

    private final Server server;
    private final Path socket;
    private final Runnable closed;

    private DeviceServer(Server server, Path socket, Runnable closed) {
        this.server = server;
        this.socket = socket;
        this.closed = closed;
    }

    /**
     * @param shares of the event loops of all domains
     */
    static DeviceServer open(
            LoopShares shares,
            ChannelLimits limits,
            Path socket,
            int uid,
            String token,
            Session session,
            BindableService... services)
            throws IOException {
        int pathBytes = socket.toString().getBytes(StandardCharsets.UTF_8).length;
        if (pathBytes > MAX_PATH_BYTES) {
            throw new IOException(
                    "socket path of " + pathBytes + " bytes, must be at most " + MAX_PATH_BYTES + ": " + socket);
        }
        var _ = Files.deleteIfExists(socket);
        Rejections rejections = session.rejections();
        LoopShare share = shares.join();
        ChannelGuard guard =
                new ChannelGuard(limits, share, System::nanoTime, new ThreadClock()::cpuNanos, rejections::count);
        ConnectionLimit connections = new ConnectionLimit(limits, guard);
        ChannelLoop loop = ChannelLoop.start(session.domain(), session.name());
        Runnable closed = () -> {
            loop.close();
            shares.leave(share);
        };
        TokenCheck check = new TokenCheck(token, () -> {
            rejections.count(RejectedAct.WRONG_TOKEN);
            connections.closeAll();
        });
        NettyServerBuilder builder = limited(socket, limits, connections, loop)
                .intercept(new UsefulCalls(guard.budget()))
                // The last one is asked first.
                .intercept(check);
        for (BindableService service : services) {
            builder.addService(LenientMarshaller.of(service));
        }
        Server server;
        try {
            server = builder.build().start();
        } catch (IOException | RuntimeException e) {
            closed.run();
            throw e;
        }
        try {
            giveTo(uid, socket);
        } catch (IOException e) {
            var _ = server.shutdownNow();
            closed.run();
            throw e;
        }
        return new DeviceServer(server, socket, closed);
    }

    /** Listens at {@code socket}; whatever a connection takes is bounded. */
    private static NettyServerBuilder limited(
            Path socket, ChannelLimits limits, ConnectionLimit connections, ChannelLoop loop) {
        return SocketServer.at(socket, loop.group(), connections)
                // A message of 64 KiB could unpack to 64 MiB.
                .decompressorRegistry(DecompressorRegistry.emptyInstance().with(Codec.Identity.NONE, false))
                .maxInboundMessageSize(limits.messageBytes())
                .maxInboundMetadataSize(limits.metadataBytes())
                .maxConcurrentCallsPerConnection(limits.callsPerConnection())
                .maxConnectionIdle(limits.idle().toSeconds(), TimeUnit.SECONDS)
                .permitKeepAliveTime(1, TimeUnit.MINUTES)
                .handshakeTimeout(limits.handshake().toMillis(), TimeUnit.MILLISECONDS);
    }

    private static void giveTo(int uid, Path socket) throws IOException {
        Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
        if (uid != 0) {
            Files.setAttribute(socket, "unix:uid", uid);
        }
    }

    /** Closes all connections; calls under way are cancelled, handlers that run finish. */
    @Override
    public void close() {
        var _ = server.shutdownNow();
        closed.run();
        try {
            var _ = Files.deleteIfExists(socket);
        } catch (IOException e) {
            // The folder goes with its domain.
        }
    }
}
