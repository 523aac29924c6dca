package io.hyperverbs.backend.channel;

import io.hyperverbs.backend.budget.LoopShares;
import io.hyperverbs.backend.log.Quiet;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.verbs.RequestExecutor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.BiConsumer;

/** Opens the sockets of guests, each with an event loop of its own. Any thread. */
public final class ChannelServers {
    private final RequestExecutor executor;
    private final BiConsumer<Session, String> violations;
    private final ChannelLimits limits;
    private final LoopShares shares = LoopShares.ofThisComputer();

    public ChannelServers(RequestExecutor executor, BiConsumer<Session, String> violations, ChannelLimits limits) {
        Quiet.grpc();
        // Else it warns that a Unix socket knows no SO_KEEPALIVE, at each server that gRPC starts.
        Quiet.errorsOnly("io.netty.bootstrap.ServerBootstrap");
        this.executor = executor;
        this.violations = violations;
        this.limits = limits;
    }

    /**
     * Listens on {@code socket} for the guest of {@code session}.
     *
     * @param uid the user that may connect; 0: this process's own
     * @param token what each call must carry
     */
    public DeviceServer open(Session session, Path socket, int uid, String token) throws IOException {
        return DeviceServer.open(
                shares,
                limits,
                socket,
                uid,
                token,
                session,
                new DeviceChannelService(session, executor, violations),
                new EventChannelService(session));
    }
}
