package io.hyperverbs.backend.channel;

import io.hyperverbs.backend.log.Quiet;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.verbs.RequestExecutor;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Opens the sockets of guests; all of them share a few event loop threads. Any thread. */
public final class ChannelServers implements AutoCloseable {
    private static final int THREADS = 2;
    private static final long SHUTDOWN_MILLIS = 200;

    private final RequestExecutor executor;
    private final ViolationHandler violations;
    private final ChannelLimits limits;
    private final EventLoopGroup loops;

    public ChannelServers(
            RequestExecutor executor, ViolationHandler violations, ChannelLimits limits) {
        Quiet.grpc();
        // Else it warns that a Unix socket knows no SO_KEEPALIVE, at each server that gRPC starts.
        Quiet.errorsOnly("io.netty.bootstrap.ServerBootstrap");
        this.executor = executor;
        this.violations = violations;
        this.limits = limits;
        this.loops =
                new MultiThreadIoEventLoopGroup(
                        THREADS,
                        new DefaultThreadFactory("channel", true),
                        EpollIoHandler.newFactory());
    }

    /**
     * Listens on {@code socket} for the guest of {@code session}.
     *
     * @param uid the user that may connect; 0: this process's own
     * @param token what each call must carry
     */
    public DeviceServer open(Session session, Path socket, int uid, String token)
            throws IOException {
        return DeviceServer.open(
                loops,
                limits,
                socket,
                uid,
                token,
                session.rejections(),
                new DeviceChannelService(session, executor, violations),
                new EventChannelService(session));
    }

    @Override
    public void close() {
        var _ =
                loops.shutdownGracefully(0, SHUTDOWN_MILLIS, TimeUnit.MILLISECONDS)
                        .awaitUninterruptibly(SHUTDOWN_MILLIS);
    }
}
