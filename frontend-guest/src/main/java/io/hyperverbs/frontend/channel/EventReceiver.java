package io.hyperverbs.frontend.channel;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.vmm.io.EventSink;
import io.hyperverbs.vmm.io.wire.EventChannelGrpc;
import io.hyperverbs.vmm.io.wire.EventMessage;
import io.hyperverbs.vmm.io.wire.SubscribeMessage;

/** Translates what comes over the event channel; runs on the event-loop thread. */
final class EventReceiver implements StreamObserver<EventMessage> {
    private final EventSink sink;

    private EventReceiver(EventSink sink) {
        this.sink = sink;
    }

    /**
     * Events go to {@code sink} until the channel ends. No deadline: it lasts as the domain does.
     */
    static void start(Channel channel, EventSink sink) {
        ClientCalls.asyncServerStreamingCall(
                channel.newCall(EventChannelGrpc.getSubscribeMethod(), CallOptions.DEFAULT),
                SubscribeMessage.getDefaultInstance(),
                new EventReceiver(sink));
    }

    @Override
    public void onNext(EventMessage message) {
        switch (message.getEventCase()) {
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
        sink.closed(Status.fromThrowable(problem).toString());
    }

    @Override
    public void onCompleted() {
        sink.closed("by the backend");
    }
}
