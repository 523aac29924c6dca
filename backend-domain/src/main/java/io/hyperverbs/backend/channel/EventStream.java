package io.hyperverbs.backend.channel;

import io.grpc.stub.ServerCallStreamObserver;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.vmm.io.EventSink;
import io.hyperverbs.vmm.io.wire.AsyncEventMessage;
import io.hyperverbs.vmm.io.wire.EventMessage;

/** Puts events into messages. Called by the session's queue alone, one at a time. */
final class EventStream implements EventSink {
    private final ServerCallStreamObserver<EventMessage> out;

    EventStream(ServerCallStreamObserver<EventMessage> out) {
        this.out = out;
    }

    @Override
    public void subscribed() {
        out.onNext(EventMessage.newBuilder().setSubscribed(true).build());
    }

    @Override
    public void completion(long cq) {
        out.onNext(EventMessage.newBuilder().setCompletionCq(cq).build());
    }

    @Override
    public void async(long context, AsyncEvent event) {
        out.onNext(EventMessage.newBuilder()
                .setAsync(AsyncEventMessage.newBuilder()
                        .setContext(context)
                        .setType(event.type().code())
                        .setNumber(event.number()))
                .build());
    }

    @Override
    public void connections(long channel) {
        out.onNext(EventMessage.newBuilder().setConnectionsChannel(channel).build());
    }

    @Override
    public void overflow() {
        out.onNext(EventMessage.newBuilder().setOverflow(true).build());
    }

    @Override
    public void closed(String reason) {
        if (!out.isCancelled()) {
            out.onCompleted();
        }
    }
}
