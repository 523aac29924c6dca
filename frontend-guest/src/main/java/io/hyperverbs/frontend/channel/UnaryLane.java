package io.hyperverbs.frontend.channel;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.hyperverbs.frontend.path.CompletionSink;
import io.hyperverbs.frontend.path.ForwardedChannel;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.wire.DataReplyMessage;
import io.hyperverbs.vmm.io.wire.DataRequestMessage;
import io.hyperverbs.vmm.io.wire.DeviceChannelGrpc;
import java.util.concurrent.TimeUnit;

/**
 * The forwarded data path as one call per post and per poll. A call is never repeated: a post
 * carried out twice would be worse than one that failed. Any thread.
 */
final class UnaryLane implements ForwardedChannel {
    private final Channel channel;
    private final long deadlineNanos;
    private final CompletionRouter router = new CompletionRouter();

    UnaryLane(Channel channel, CallTiming timing) {
        this.channel = channel;
        this.deadlineNanos = timing.deadline().toNanos();
    }

    @Override
    public void listen(long cq, CompletionSink sink) {
        router.listen(cq, sink);
    }

    @Override
    public void forget(long cq) {
        router.forget(cq);
    }

    @Override
    public VerbsStatus postSend(long qp, int count, byte[] entries) {
        return exchange(DataMessages.postSend(qp, count, entries));
    }

    @Override
    public VerbsStatus postReceive(long qp, int count, byte[] entries) {
        return exchange(DataMessages.postReceive(qp, count, entries));
    }

    @Override
    public VerbsStatus postSharedReceive(long srq, int count, byte[] entries) {
        return exchange(DataMessages.postSharedReceive(srq, count, entries));
    }

    @Override
    public void consumed(long cq, int consumerIndex) {
        exchange(DataMessages.consumed(cq, consumerIndex));
    }

    @Override
    public VerbsStatus arm(long cq, boolean solicitedOnly, int consumerIndex) {
        return exchange(DataMessages.arm(cq, solicitedOnly, consumerIndex));
    }

    @Override
    public boolean pushes() {
        return false;
    }

    @Override
    public void poll(long cq, int consumerIndex, int max) {
        exchange(DataMessages.poll(cq, consumerIndex, max));
    }

    private VerbsStatus exchange(DataRequestMessage request) {
        try {
            DataReplyMessage reply = ClientCalls.blockingUnaryCall(
                    channel,
                    DeviceChannelGrpc.getExchangeMethod(),
                    CallOptions.DEFAULT.withDeadlineAfter(deadlineNanos, TimeUnit.NANOSECONDS),
                    request);
            router.deliver(reply);
            return VerbsStatus.of(reply.getStatus());
        } catch (StatusRuntimeException e) {
            return e.getStatus().getCode() == Status.Code.DEADLINE_EXCEEDED ? VerbsStatus.ETIMEDOUT : VerbsStatus.EIO;
        }
    }
}
