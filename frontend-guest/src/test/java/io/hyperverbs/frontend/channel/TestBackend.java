package io.hyperverbs.frontend.channel;

import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.hyperverbs.vmm.io.ControlCodec;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.wire.ControlReplyMessage;
import io.hyperverbs.vmm.io.wire.ControlRequestMessage;
import io.hyperverbs.vmm.io.wire.DataReplyMessage;
import io.hyperverbs.vmm.io.wire.DataRequestMessage;
import io.hyperverbs.vmm.io.wire.DeviceChannelGrpc;
import io.hyperverbs.vmm.io.wire.EventChannelGrpc;
import io.hyperverbs.vmm.io.wire.EventMessage;
import io.hyperverbs.vmm.io.wire.SubscribeMessage;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** A gRPC server on a real Unix socket whose answers the test writes. */
final class TestBackend implements AutoCloseable {
    final Set<String> tokens = ConcurrentHashMap.newKeySet();
    final List<ControlRequestMessage> calls = Collections.synchronizedList(new ArrayList<>());

    /** Answers a control call; a call whose observer it leaves alone is never answered. */
    volatile BiConsumer<ControlRequestMessage, StreamObserver<ControlReplyMessage>> onCall =
            (request, out) -> answer(out, new ControlReply.Done());

    /** Takes a message of the stream or of an exchange. */
    volatile Function<DataRequestMessage, DataReplyMessage> onData = _ -> DataReplyMessage.getDefaultInstance();

    final CompletableFuture<StreamObserver<EventMessage>> events = new CompletableFuture<>();
    final BlockingQueue<StreamObserver<EventMessage>> subscriptions = new LinkedBlockingQueue<>();
    final CompletableFuture<StreamObserver<DataReplyMessage>> stream = new CompletableFuture<>();

    private final EventLoopGroup loop;
    private final Server server;

    TestBackend(Path socket) throws IOException {
        loop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
        server = NettyServerBuilder.forAddress(new DomainSocketAddress(socket.toString()))
                .channelType(EpollServerDomainSocketChannel.class)
                .bossEventLoopGroup(loop)
                .workerEventLoopGroup(loop)
                .directExecutor()
                .addService(new Device())
                .addService(new Events())
                .intercept(new TokenReader())
                .build()
                .start();
    }

    static void answer(StreamObserver<ControlReplyMessage> out, ControlReply reply) {
        try {
            out.onNext(ControlReplyMessage.parseFrom(ControlCodec.bytesOf(reply)));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        out.onCompleted();
    }

    ControlRequest request(int call) {
        return request(calls.get(call));
    }

    static ControlRequest request(ControlRequestMessage message) {
        try {
            return ControlCodec.parseCall(message.toByteArray()).content().request();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        var _ = server.shutdownNow();
        var _ = loop.shutdownGracefully(0, 0, TimeUnit.MILLISECONDS);
    }

    private final class Device extends DeviceChannelGrpc.DeviceChannelImplBase {
        @Override
        public void call(ControlRequestMessage request, StreamObserver<ControlReplyMessage> out) {
            calls.add(request);
            onCall.accept(request, out);
        }

        @Override
        public void exchange(DataRequestMessage request, StreamObserver<DataReplyMessage> out) {
            out.onNext(onData.apply(request));
            out.onCompleted();
        }

        @Override
        public StreamObserver<DataRequestMessage> stream(StreamObserver<DataReplyMessage> out) {
            stream.complete(out);
            return new StreamObserver<>() {
                @Override
                public void onNext(DataRequestMessage message) {
                    DataReplyMessage reply = onData.apply(message);
                    if (reply.getCompletionsCount() > 0 || reply.getStatus() != 0) {
                        out.onNext(reply);
                    }
                }

                @Override
                public void onError(Throwable problem) {}

                @Override
                public void onCompleted() {
                    out.onCompleted();
                }
            };
        }
    }

    private final class Events extends EventChannelGrpc.EventChannelImplBase {
        @Override
        public void subscribe(SubscribeMessage request, StreamObserver<EventMessage> out) {
            events.complete(out);
            subscriptions.add(out);
        }
    }

    private final class TokenReader implements ServerInterceptor {
        @Override
        public <Q, R> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
            String token = headers.get(SocketChannels.TOKEN);
            if (token != null) {
                tokens.add(token);
            }
            return next.startCall(call, headers);
        }
    }
}
