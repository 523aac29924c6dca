package io.hyperverbs.frontend.channel;

import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.hyperverbs.frontend.path.ForwardedChannel;
import io.hyperverbs.frontend.path.ForwardedChannels;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlCodec;
import io.hyperverbs.vmm.io.ControlPath;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.EventSink;
import io.hyperverbs.vmm.io.ProtocolViolation;
import io.hyperverbs.vmm.io.WireMessage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A guest's session with the backend (Liu 2006 §4.1): privileged verbs and data lanes over one
 * connection to its device socket, events over a second. A connection that is lost is made again:
 * calls are retried with their id, events subscribed again. Any thread; calls hold up nobody else.
 */
public final class DeviceChannelClient implements ControlPath, ForwardedChannels {
    private static final MethodDescriptor<WireMessage<ControlCodec.Call>, WireMessage<ControlReply>> CALL =
            ControlCodec.method();

    private final SocketChannels sockets;
    private final ManagedChannel device;
    private final ManagedChannel events;
    private final CallTiming timing;
    private final RequestIds requestIds = new RequestIds();
    private volatile boolean closed;
    private @Nullable EventSubscription subscription;
    private @Nullable StreamLane stream;
    private @Nullable UnaryLane unary;

    private DeviceChannelClient(SocketChannels sockets, CallTiming timing) {
        this.sockets = sockets;
        this.device = sockets.open();
        this.events = sockets.open();
        this.timing = timing;
    }

    /**
     * A session over that socket; connects at the first call.
     *
     * @param token what the domain was launched with
     */
    public static DeviceChannelClient connect(Path socket, String token, CallTiming timing) {
        return new DeviceChannelClient(new SocketChannels(socket, token), timing);
    }

    /**
     * Makes both connections now; returns when they are made.
     *
     * @throws IOException if they are not within the time of all attempts of a call
     */
    public void connectNow() throws IOException {
        long deadline = System.nanoTime() + patienceNanos();
        Connecting.await(device, deadline);
        Connecting.await(events, deadline);
    }

    /**
     * Returns when the backend has confirmed that events come to the sink of {@link #subscribe}.
     *
     * @throws IOException if that is not within the time of all attempts of a call
     */
    public void awaitSubscribed() throws IOException {
        EventSubscription made;
        synchronized (this) {
            made = subscription;
        }
        if (made == null) {
            throw new IllegalStateException("nobody has subscribed");
        }
        made.awaitConfirmed(patienceNanos());
    }

    @Override
    public ControlReply call(ControlRequest request) {
        long id;
        try {
            id = requestIds.draw();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new ControlReply.Refused(VerbsStatus.EINTR, "interrupted before the call");
        }
        try {
            return call(ControlCodec.message(id, request));
        } finally {
            requestIds.answered(id);
        }
    }

    private ControlReply call(WireMessage<ControlCodec.Call> message) {
        for (int attempt = 1; ; attempt++) {
            try {
                return ClientCalls.blockingUnaryCall(device, CALL, timing.options(), message)
                        .content();
            } catch (StatusRuntimeException e) {
                Status.Code code = e.getStatus().getCode();
                boolean passing = code == Status.Code.UNAVAILABLE || code == Status.Code.DEADLINE_EXCEEDED;
                if (!passing || closed || attempt == timing.attempts() || !pause(attempt)) {
                    return refused(e.getStatus());
                }
                // Else gRPC answers by itself for a second after a connection that failed.
                device.resetConnectBackoff();
            } catch (ProtocolViolation e) {
                return new ControlReply.Refused(VerbsStatus.EIO, "backend answered nonsense: " + e.getMessage());
            }
        }
    }

    @Override
    public synchronized void subscribe(EventSink sink) {
        EventSubscription made = new EventSubscription(events, sockets.loop(), sink, patienceNanos());
        if (subscription != null) {
            subscription.cancel();
        }
        subscription = made;
        made.start();
    }

    @Override
    public synchronized ForwardedChannel channel(DataPathKind kind) throws VerbsException {
        return switch (kind) {
            case BYPASS -> throw new IllegalArgumentException("bypass has no forwarded channel");
            case FORWARDED -> {
                sockets.expectData();
                yield stream();
            }
            case FORWARDED_UNARY -> {
                sockets.expectData();
                UnaryLane made = unary == null ? new UnaryLane(device, timing) : unary;
                unary = made;
                yield made;
            }
        };
    }

    @Override
    public void close() {
        closed = true;
        synchronized (this) {
            if (subscription != null) {
                subscription.cancel();
            }
        }
        sockets.close();
        device.shutdownNow();
        events.shutdownNow();
    }

    private StreamLane stream() throws VerbsException {
        StreamLane made = stream == null ? StreamLane.open(device) : stream;
        stream = made;
        String failure = made.failure();
        if (failure != null) {
            throw new VerbsException(VerbsStatus.EIO, failure);
        }
        return made;
    }

    private long patienceNanos() {
        return timing.attempts() * timing.deadline().toNanos();
    }

    /** Waits before the next attempt; false if interrupted. */
    private boolean pause(int attempt) {
        try {
            TimeUnit.NANOSECONDS.sleep(timing.pause().toNanos() << (attempt - 1));
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static ControlReply.Refused refused(Status status) {
        return switch (status.getCode()) {
            case DEADLINE_EXCEEDED -> new ControlReply.Refused(VerbsStatus.ETIMEDOUT, "backend did not answer in time");
            case CANCELLED ->
                new ControlReply.Refused(
                        Thread.currentThread().isInterrupted() ? VerbsStatus.EINTR : VerbsStatus.EIO,
                        "call cancelled: " + status.getDescription());
            default ->
                new ControlReply.Refused(
                        VerbsStatus.EIO,
                        "device channel: "
                                + status.getCode()
                                + (status.getDescription() == null ? "" : " " + status.getDescription()));
        };
    }
}
