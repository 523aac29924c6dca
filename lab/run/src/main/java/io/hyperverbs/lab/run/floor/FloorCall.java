package io.hyperverbs.lab.run.floor;

import io.grpc.BindableService;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.hyperverbs.backend.channel.ChannelLoop;
import io.hyperverbs.backend.channel.SocketServer;
import io.hyperverbs.backend.log.Quiet;
import io.hyperverbs.frontend.channel.CallTiming;
import io.hyperverbs.frontend.channel.SocketChannels;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.vmm.io.ControlCodec;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.FrameRun;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;

/**
 * A bare call: the bytes of a request to register memory go to another process, those of the reply come back, and
 * nobody looks at either. Socket, event loops and stub are those of the device channel; its checks, codec, journal and
 * verbs are left out. One thread.
 */
final class FloorCall implements AutoCloseable {
    private static final MethodDescriptor<byte[], byte[]> CALL = MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName(MethodDescriptor.generateFullMethodName("hyperverbs.floor.Floor", "Call"))
            .setRequestMarshaller(new Bytes())
            .setResponseMarshaller(new Bytes())
            .build();

    /** Handles and keys are random, and as long as they get. */
    private static final long HANDLE = Long.MAX_VALUE;

    /** As long as a domain's launch token. */
    private static final String TOKEN = "0".repeat(32);

    private final CallTiming timing = CallTiming.standard();
    private final SocketChannels sockets;
    private final ManagedChannel channel;
    private final byte[] request = request();

    /** Connects at the first call. */
    FloorCall(Path socket) {
        quieten();
        sockets = new SocketChannels(socket, TOKEN);
        channel = sockets.open();
    }

    /**
     * Answers calls at {@code socket}, on an event loop of its own.
     *
     * @return what ends that
     * @throws IOException if it cannot listen there
     */
    static Runnable serve(Path socket) throws IOException {
        quieten();
        byte[] answer = answer();
        BindableService service = () -> ServerServiceDefinition.builder("hyperverbs.floor.Floor")
                .addMethod(CALL, ServerCalls.asyncUnaryCall((request, responses) -> {
                    responses.onNext(answer);
                    responses.onCompleted();
                }))
                .build();
        ChannelLoop loop = ChannelLoop.start(0, "floor");
        Server server = SocketServer.at(socket, loop.group())
                .addService(service)
                .build()
                .start();
        return () -> {
            Server _ = server.shutdownNow();
            loop.close();
        };
    }

    /** One call; nanoseconds until its answer is here. */
    long once() {
        long begunNanos = System.nanoTime();
        byte[] answer = ClientCalls.blockingUnaryCall(channel, CALL, timing.options(), request);
        long nanos = System.nanoTime() - begunNanos;
        if (answer.length == 0) {
            throw new IllegalStateException("an empty answer");
        }
        return nanos;
    }

    /** Registers a page. */
    static byte[] request() {
        int rights = Access.mask(EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE));
        ControlRequest page = new ControlRequest.RegisterMemory(
                HANDLE, HANDLE, FrameRun.FRAME_BYTES, rights, List.of(new FrameRun(1 << 20, 1)));
        return ControlCodec.bytesOf(page);
    }

    /** What the backend says to that. */
    static byte[] answer() {
        return ControlCodec.bytesOf(new ControlReply.MemoryRegistered(HANDLE, -1, -1));
    }

    /** Else netty warns, on the standard output of these processes, that a Unix socket knows no SO_KEEPALIVE. */
    private static void quieten() {
        Quiet.grpc();
        Quiet.errorsOnly("io.netty");
    }

    @Override
    public void close() {
        sockets.close();
        ManagedChannel _ = channel.shutdownNow();
    }

    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] message) {
            return new ByteArrayInputStream(message);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
