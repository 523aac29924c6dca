package io.hyperverbs.backend.channel;

import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.hyperverbs.backend.session.RejectedAct;
import io.hyperverbs.backend.session.Rejections;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;

/** The listening socket of one guest, with its two services. Any thread. */
public final class DeviceServer implements AutoCloseable {
    /** {@code sun_path} has 108 bytes with its final zero. */
    private static final int MAX_PATH_BYTES = 107;

    private final Server server;
    private final Path socket;

    private DeviceServer(Server server, Path socket) {
        this.server = server;
        this.socket = socket;
    }

    static DeviceServer open(
            EventLoopGroup loops,
            ChannelLimits limits,
            Path socket,
            int uid,
            String token,
            Rejections rejections,
            BindableService... services)
            throws IOException {
        int pathBytes = socket.toString().getBytes(StandardCharsets.UTF_8).length;
        if (pathBytes > MAX_PATH_BYTES) {
            throw new IOException(
                    "socket path of "
                            + pathBytes
                            + " bytes, must be at most "
                            + MAX_PATH_BYTES
                            + ": "
                            + socket);
        }
        var _ = Files.deleteIfExists(socket);
        ConnectionLimit connections = new ConnectionLimit(limits, rejections::count);
        TokenCheck check =
                new TokenCheck(
                        token,
                        () -> {
                            rejections.count(RejectedAct.WRONG_TOKEN);
                            connections.closeAll();
                        });
        NettyServerBuilder builder =
                NettyServerBuilder.forAddress(new DomainSocketAddress(socket.toString()))
                        .channelFactory(
                                () -> {
                                    var listening = new EpollServerDomainSocketChannel();
                                    listening.pipeline().addFirst(connections);
                                    return listening;
                                })
                        .bossEventLoopGroup(loops)
                        .workerEventLoopGroup(loops)
                        .directExecutor()
                        .maxInboundMessageSize(limits.messageBytes())
                        .maxInboundMetadataSize(limits.metadataBytes())
                        .maxConcurrentCallsPerConnection(limits.callsPerConnection())
                        .maxRstFramesPerWindow(
                                limits.resetsPerWindow(), (int) limits.resetWindow().toSeconds())
                        .maxConnectionIdle(limits.idle().toSeconds(), TimeUnit.SECONDS)
                        .permitKeepAliveTime(1, TimeUnit.MINUTES)
                        .handshakeTimeout(limits.handshake().toMillis(), TimeUnit.MILLISECONDS)
                        .intercept(check);
        for (BindableService service : services) {
            builder.addService(service);
        }
        Server server = builder.build().start();
        try {
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
            if (uid != 0) {
                Files.setAttribute(socket, "unix:uid", uid);
            }
        } catch (IOException e) {
            var _ = server.shutdownNow();
            throw e;
        }
        return new DeviceServer(server, socket);
    }

    /** Closes all connections; calls under way are cancelled, handlers that run finish. */
    @Override
    public void close() {
        var _ = server.shutdownNow();
        try {
            var _ = Files.deleteIfExists(socket);
        } catch (IOException e) {
            // The folder goes with its domain.
        }
    }
}
