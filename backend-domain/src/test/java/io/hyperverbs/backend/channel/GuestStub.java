package io.hyperverbs.backend.channel;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.netty.NettyChannelBuilder;
import io.hyperverbs.backend.log.Quiet;
import io.hyperverbs.vmm.io.ControlCodec;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.wire.DeviceChannelGrpc;
import io.hyperverbs.vmm.io.wire.EventChannelGrpc;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.DomainSocketAddress;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A guest's end of its socket, by hand. Each has one connection. */
public final class GuestStub implements AutoCloseable {
    private final EventLoopGroup loop =
            new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    private final ManagedChannel channel;
    private long lastRequestId;

    public GuestStub(Path socket, String token) {
        Quiet.errorsOnly("io.netty.bootstrap.Bootstrap");
        channel =
                NettyChannelBuilder.forAddress(new DomainSocketAddress(socket.toString()))
                        .eventLoopGroup(loop)
                        .channelType(EpollDomainSocketChannel.class)
                        .usePlaintext()
                        .disableRetry()
                        .intercept(new Token(token))
                        .build();
    }

    private record Token(String token) implements ClientInterceptor {
        @Override
        public <Q, R> ClientCall<Q, R> interceptCall(
                MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
            return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
                @Override
                public void start(Listener<R> listener, Metadata headers) {
                    headers.put(TokenCheck.TOKEN, token);
                    super.start(listener, headers);
                }
            };
        }
    }

    public DeviceChannelGrpc.DeviceChannelBlockingStub device() {
        return DeviceChannelGrpc.newBlockingStub(channel).withDeadlineAfter(10, TimeUnit.SECONDS);
    }

    public DeviceChannelGrpc.DeviceChannelStub stream() {
        return DeviceChannelGrpc.newStub(channel);
    }

    public EventChannelGrpc.EventChannelStub events() {
        return EventChannelGrpc.newStub(channel);
    }

    public ControlReply call(ControlRequest request) {
        return ControlCodec.fromWire(device().call(ControlCodec.toWire(++lastRequestId, request)));
    }

    /** Calls what must not be refused. */
    public <R extends ControlReply> R done(ControlRequest request, Class<R> replyType) {
        ControlReply reply = call(request);
        if (!replyType.isInstance(reply)) {
            throw new AssertionError(request + " answered " + reply);
        }
        return replyType.cast(reply);
    }

    @Override
    public void close() {
        channel.shutdownNow();
        var _ = loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }
}
