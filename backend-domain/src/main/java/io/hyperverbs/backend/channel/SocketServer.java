package io.hyperverbs.backend.channel;

import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import java.nio.file.Path;

/** How a device socket is served: gRPC over a Unix socket, all of it on one event loop. Any thread. */
public final class SocketServer {
    /** Connections that wait while the domain pauses. */
    private static final int BACKLOG = 16;

    private SocketServer() {}

    /**
     * Listens at {@code socket} once it is started; what a connection takes is not bounded yet.
     *
     * @param loop of {@link ChannelLoop}
     * @param first look at what is accepted, in front of gRPC
     */
    public static NettyServerBuilder at(Path socket, EventLoopGroup loop, ChannelHandler... first) {
        return NettyServerBuilder.forAddress(new DomainSocketAddress(socket.toString()))
                .channelFactory(() -> {
                    var listening = new EpollServerDomainSocketChannel();
                    listening.pipeline().addFirst(first);
                    return listening;
                })
                .withOption(ChannelOption.SO_BACKLOG, BACKLOG)
                .bossEventLoopGroup(loop)
                .workerEventLoopGroup(loop)
                .directExecutor();
    }
}
