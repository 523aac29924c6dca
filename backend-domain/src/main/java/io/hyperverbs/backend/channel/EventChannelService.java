package io.hyperverbs.backend.channel;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.hyperverbs.backend.event.SessionEvents;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.vmm.io.wire.EventChannelGrpc;
import io.hyperverbs.vmm.io.wire.EventMessage;
import io.hyperverbs.vmm.io.wire.SubscribeMessage;

/** The event channel of one session: one stream at a time, the newest. Channel threads. */
final class EventChannelService extends EventChannelGrpc.EventChannelImplBase {
    private final Session session;

    EventChannelService(Session session) {
        this.session = session;
    }

    @Override
    public void subscribe(SubscribeMessage message, StreamObserver<EventMessage> responses) {
        ServerCallStreamObserver<EventMessage> out = (ServerCallStreamObserver<EventMessage>) responses;
        SessionEvents events = session.events();
        EventStream stream = new EventStream(out);
        out.setOnReadyHandler(events::deliver);
        out.setOnCancelHandler(() -> events.unsubscribe(stream));
        events.subscribe(stream, out::isReady);
    }
}
