package io.hyperverbs.vmm.control;

import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.hyperverbs.vmm.domain.Machine;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Serves the toolstack on a Unix socket. */
public final class MachineServer implements AutoCloseable {
    private static final int MAX_MESSAGE_BYTES = 1 << 20;
    private static final int MAX_METADATA_BYTES = 8 << 10;
    private static final int MAX_CALLS = 256;

    private final EventLoopGroup loop;
    private final ExecutorService calls;
    private final Server server;

    private MachineServer(EventLoopGroup loop, ExecutorService calls, Server server) {
        this.loop = loop;
        this.calls = calls;
        this.server = server;
    }

    /**
     * @param socket must not exist; its folder keeps strangers out
     * @param description the toolstack's own text
     * @param shutdown run when the toolstack has shut the machine down
     */
    public static MachineServer start(Path socket, Machine machine, String name, String description, Runnable shutdown)
            throws IOException {
        QuietNetty.silence();
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
        ExecutorService calls = Executors.newThreadPerTaskExecutor(
                Thread.ofPlatform().daemon().name("machine-call-", 0).factory());
        Server server = NettyServerBuilder.forAddress(new DomainSocketAddress(socket.toFile()))
                .channelType(EpollServerDomainSocketChannel.class)
                .bossEventLoopGroup(loop)
                .workerEventLoopGroup(loop)
                .executor(calls)
                .maxInboundMessageSize(MAX_MESSAGE_BYTES)
                .maxInboundMetadataSize(MAX_METADATA_BYTES)
                .maxConcurrentCallsPerConnection(MAX_CALLS)
                .addService(new MachineService(machine, name, description, shutdown))
                .build();
        try {
            server.start();
        } catch (IOException e) {
            var _ = loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
            calls.shutdownNow();
            throw e;
        }
        return new MachineServer(loop, calls, server);
    }

    /** Lets calls that are being answered end, for a second at most. */
    @Override
    public void close() {
        server.shutdown();
        try {
            if (!server.awaitTermination(1, TimeUnit.SECONDS)) {
                server.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        calls.shutdownNow();
        var _ = loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }
}
