package io.hyperverbs.backend.channel;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.hyperverbs.backend.log.Quiet;
import io.hyperverbs.vmm.io.ControlCodec;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.wire.ControlRequestMessage;
import io.hyperverbs.vmm.io.wire.DeviceChannelGrpc;
import io.hyperverbs.vmm.io.wire.EventChannelGrpc;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A guest's end of its socket, by hand. Each has one connection. */
public final class GuestStub implements AutoCloseable {
    private static final MethodDescriptor.Marshaller<byte[]> BYTES = new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] bytes) {
            return new ByteArrayInputStream(bytes);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    };

    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    private final ManagedChannel channel;
    private long lastRequestId;

    public GuestStub(Path socket, String token) {
        Quiet.errorsOnly("io.netty.bootstrap.Bootstrap");
        channel = NettyChannelBuilder.forAddress(new DomainSocketAddress(socket.toString()))
                .eventLoopGroup(loop)
                .channelType(EpollDomainSocketChannel.class)
                .usePlaintext()
                .disableRetry()
                .intercept(new Token(token))
                .build();
    }

    private record Token(String token) implements ClientInterceptor {
        @Override
        public <Q, R> ClientCall<Q, R> interceptCall(MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
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

    /** Requests are numbered above {@code requestId} from now on. */
    public GuestStub after(long requestId) {
        lastRequestId = requestId;
        return this;
    }

    public ControlReply call(ControlRequest request) {
        return call(++lastRequestId, request);
    }

    /** A request as the generated classes have it. */
    static ControlRequestMessage generated(long requestId, ControlRequest request) {
        try {
            return ControlRequestMessage.parseFrom(
                    ControlCodec.message(requestId, request).bytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Calls with that number. */
    public ControlReply call(long requestId, ControlRequest request) {
        return ClientCalls.blockingUnaryCall(
                        channel,
                        ControlCodec.method(),
                        CallOptions.DEFAULT.withDeadlineAfter(10, TimeUnit.SECONDS),
                        ControlCodec.message(requestId, request))
                .content();
    }

    /** Calls what must not be refused. */
    public <R extends ControlReply> R done(ControlRequest request, Class<R> replyType) {
        ControlReply reply = call(request);
        if (!replyType.isInstance(reply)) {
            throw new AssertionError(request + " answered " + reply);
        }
        return replyType.cast(reply);
    }

    /** Sends bytes where a message should be; what came of it. */
    public <Q, R> Status raw(MethodDescriptor<Q, R> method, byte[] bytes) {
        MethodDescriptor<byte[], byte[]> plain = MethodDescriptor.<byte[], byte[]>newBuilder(BYTES, BYTES)
                .setFullMethodName(method.getFullMethodName())
                .setType(method.getType())
                .build();
        try {
            var _ = ClientCalls.blockingUnaryCall(
                    channel, plain, CallOptions.DEFAULT.withDeadlineAfter(10, TimeUnit.SECONDS), bytes);
            return Status.OK;
        } catch (StatusRuntimeException e) {
            return e.getStatus();
        }
    }

    @Override
    public void close() {
        channel.shutdownNow();
        var _ = loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }
}
