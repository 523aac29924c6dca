package io.hyperverbs.frontend.channel;

import io.grpc.ClientInterceptor;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/** gRPC connections to one Unix domain socket, on one event-loop thread. Any thread. */
public final class SocketChannels implements AutoCloseable {
    static final int MAX_MESSAGE_BYTES = 64 << 10;
    static final Metadata.Key<String> TOKEN = Metadata.Key.of("hv-token", Metadata.ASCII_STRING_MARSHALLER);

    /**
     * Says at each connection that a Unix socket has no SO_KEEPALIVE; kept, or the level is lost.
     */
    private static final Logger BOOTSTRAP = Logger.getLogger("io.netty.bootstrap");

    /** gRPC never leaves an idle connection open longer than this, unless asked to. */
    private static final long NEVER_IDLE_DAYS = 31;

    private final EventLoopGroup loop;
    private final DomainSocketAddress address;
    private final ClientInterceptor token;
    private volatile boolean carriesData;

    /**
     * For a socket that need not be there yet.
     *
     * @param token a header of each call
     */
    public SocketChannels(Path socket, String token) {
        BOOTSTRAP.setLevel(Level.SEVERE);
        this.loop = new MultiThreadIoEventLoopGroup(
                1,
                new DefaultThreadFactory("device-channel", true),
                EpollIoHandler.newFactory(0, () -> new WaitingSelect(() -> carriesData)));
        this.address = new DomainSocketAddress(socket.toString());
        Metadata headers = new Metadata();
        headers.put(TOKEN, token);
        this.token = MetadataUtils.newAttachHeadersInterceptor(headers);
    }

    /** From now on messages are waited for with patience: posts and completions, one on another. */
    void expectData() {
        carriesData = true;
    }

    /** A connection of its own, made at the first call. */
    public ManagedChannel open() {
        return NettyChannelBuilder.forAddress(address)
                .eventLoopGroup(loop)
                .channelType(EpollDomainSocketChannel.class)
                .usePlaintext()
                .directExecutor()
                .disableRetry()
                .disableServiceConfigLookUp()
                .maxInboundMessageSize(MAX_MESSAGE_BYTES)
                .idleTimeout(NEVER_IDLE_DAYS, TimeUnit.DAYS)
                .intercept(token)
                .build();
    }

    /** The thread that all connections are served by. */
    EventExecutor loop() {
        return loop.next();
    }

    /** Ends the loop first: gRPC's orderly end would take hundreds of milliseconds. */
    @Override
    public void close() {
        // Nobody waits: the thread is a daemon.
        Future<?> _ = loop.shutdownGracefully(0, 0, TimeUnit.MILLISECONDS);
    }
}
