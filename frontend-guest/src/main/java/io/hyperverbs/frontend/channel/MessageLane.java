package io.hyperverbs.frontend.channel;

import com.google.protobuf.UnsafeByteOperations;
import io.hyperverbs.frontend.path.CompletionSink;
import io.hyperverbs.frontend.path.ForwardedChannel;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.wire.ArmMessage;
import io.hyperverbs.vmm.io.wire.ConsumedMessage;
import io.hyperverbs.vmm.io.wire.DataReplyMessage;
import io.hyperverbs.vmm.io.wire.DataRequestMessage;
import io.hyperverbs.vmm.io.wire.PostEntriesMessage;

/** The forwarded data path as messages, however they travel. Any thread. */
abstract class MessageLane implements ForwardedChannel {
    private final CompletionRouter router = new CompletionRouter();

    /** Sends a message; says what it came to, as far as that is answered. */
    abstract VerbsStatus send(DataRequestMessage request);

    /** Takes completions that came down. */
    final void deliver(DataReplyMessage reply) {
        router.deliver(reply);
    }

    @Override
    public final void listen(long cq, CompletionSink sink) {
        router.listen(cq, sink);
    }

    @Override
    public final void forget(long cq) {
        router.forget(cq);
    }

    @Override
    public final VerbsStatus postSend(long qp, int count, byte[] entries) {
        return send(request().setPostSend(post(qp, count, entries)).build());
    }

    @Override
    public final VerbsStatus postReceive(long qp, int count, byte[] entries) {
        return send(request().setPostReceive(post(qp, count, entries)).build());
    }

    @Override
    public final VerbsStatus postSharedReceive(long srq, int count, byte[] entries) {
        return send(request().setPostSharedReceive(post(srq, count, entries)).build());
    }

    @Override
    public final void consumed(long cq, int consumerIndex) {
        var _ = send(request()
                .setConsumed(ConsumedMessage.newBuilder().setCq(cq).setConsumerIndex(consumerIndex))
                .build());
    }

    @Override
    public final VerbsStatus arm(long cq, boolean solicitedOnly, int consumerIndex) {
        return send(request()
                .setArm(ArmMessage.newBuilder()
                        .setCq(cq)
                        .setSolicitedOnly(solicitedOnly)
                        .setConsumerIndex(consumerIndex))
                .build());
    }

    static DataRequestMessage.Builder request() {
        return DataRequestMessage.newBuilder();
    }

    private static PostEntriesMessage post(long queue, int count, byte[] entries) {
        return PostEntriesMessage.newBuilder()
                .setQp(queue)
                .setCount(count)
                .setEntries(UnsafeByteOperations.unsafeWrap(entries))
                .build();
    }
}
