package io.hyperverbs.frontend.channel;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.vmm.io.EventSink;
import io.hyperverbs.vmm.io.wire.EventChannelGrpc;
import io.hyperverbs.vmm.io.wire.EventMessage;
import io.hyperverbs.vmm.io.wire.SubscribeMessage;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Translates what comes over the event channel, and subscribes again when the channel is lost: at
 * once, then with pauses that double, until it is back or has been away too long. Only then, or
 * when the backend ends it, the sink is closed. Runs on the event-loop thread.
 */
final class EventSubscription {
    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final ManagedChannel channel;
    private final EventExecutor loop;
    private final EventSink sink;
    private final long patienceNanos;
    private final CountDownLatch decided = new CountDownLatch(1);
    private volatile @Nullable String end;
    private volatile @Nullable Status lastLoss;
    private volatile boolean cancelled;

    // Of the loop: since when there is no stream, when there was one, how long the next pause is.
    private boolean lost;
    private long lostSinceNanos;
    private long confirmedNanos;
    private long pauseNanos = FIRST_PAUSE_NANOS;

    /**
     * @param patienceNanos how long the channel may be away before the sink is closed
     */
    EventSubscription(ManagedChannel channel, EventExecutor loop, EventSink sink, long patienceNanos) {
        this.channel = channel;
        this.loop = loop;
        this.sink = sink;
        this.patienceNanos = patienceNanos;
    }

    void start() {
        loop.execute(this::subscribe);
    }

    /** Does not subscribe again. */
    void cancel() {
        cancelled = true;
    }

    /**
     * Waits until the backend has confirmed the first subscription.
     *
     * @throws IOException if that failed, or took longer
     */
    void awaitConfirmed(long timeoutNanos) throws IOException {
        try {
            if (!decided.await(timeoutNanos, TimeUnit.NANOSECONDS)) {
                throw new IOException("event channel: no subscription within "
                        + TimeUnit.NANOSECONDS.toMillis(timeoutNanos)
                        + " ms; the connection is "
                        + channel.getState(false)
                        + lastFailure());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        String reason = end;
        if (reason != null) {
            throw new IOException("event channel: " + reason);
        }
    }

    private String lastFailure() {
        Status status = lastLoss;
        return status == null ? "" : ", the last attempt failed: " + status;
    }

    // No deadline: a stream lasts as the domain does.
    private void subscribe() {
        if (cancelled) {
            return;
        }
        // gRPC itself would wait a second, then ever longer, after a connection that failed.
        channel.resetConnectBackoff();
        ClientCalls.asyncServerStreamingCall(
                channel.newCall(EventChannelGrpc.getSubscribeMethod(), CallOptions.DEFAULT),
                SubscribeMessage.getDefaultInstance(),
                new Receiver());
    }

    private void lost(Status status) {
        lastLoss = status;
        if (cancelled || !isPassing(status)) {
            close(status.toString());
            return;
        }
        long now = System.nanoTime();
        if (!lost) {
            lost = true;
            lostSinceNanos = now;
            // A backend that ends each stream at once is not asked faster and faster.
            if (now - confirmedNanos > LONGEST_PAUSE_NANOS) {
                pauseNanos = FIRST_PAUSE_NANOS;
            }
        }
        if (now - lostSinceNanos > patienceNanos) {
            close(status.toString());
            return;
        }
        // Nobody waits for it: if the loop ends, so does the domain's driver.
        Future<?> _ = loop.schedule(this::subscribe, pauseNanos, TimeUnit.NANOSECONDS);
        pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
    }

    /** Of a connection, not of what was asked. */
    private static boolean isPassing(Status status) {
        return switch (status.getCode()) {
            case UNAVAILABLE, CANCELLED, ABORTED, INTERNAL, UNKNOWN, RESOURCE_EXHAUSTED -> true;
            default -> false;
        };
    }

    private void close(String reason) {
        end = reason;
        decided.countDown();
        sink.closed(reason);
    }

    /** One stream. */
    private final class Receiver implements StreamObserver<EventMessage> {
        @Override
        public void onNext(EventMessage message) {
            switch (message.getEventCase()) {
                case SUBSCRIBED -> {
                    lost = false;
                    confirmedNanos = System.nanoTime();
                    decided.countDown();
                    sink.subscribed();
                }
                case COMPLETION_CQ -> sink.completion(message.getCompletionCq());
                case ASYNC ->
                    sink.async(
                            message.getAsync().getContext(),
                            new AsyncEvent(
                                    AsyncEvent.Type.of(message.getAsync().getType()),
                                    message.getAsync().getNumber()));
                case CONNECTIONS_CHANNEL -> sink.connections(message.getConnectionsChannel());
                case OVERFLOW -> sink.overflow();
                case EVENT_NOT_SET -> {
                    // An event of a newer backend: nothing this driver could pass on.
                }
            }
        }

        @Override
        public void onError(Throwable problem) {
            lost(Status.fromThrowable(problem));
        }

        @Override
        public void onCompleted() {
            close("by the backend");
        }
    }
}
