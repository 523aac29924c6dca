package io.hyperverbs.frontend.channel;

import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.wire.DataReplyMessage;
import io.hyperverbs.vmm.io.wire.DataRequestMessage;
import io.hyperverbs.vmm.io.wire.DeviceChannelGrpc;
import io.hyperverbs.vmm.io.wire.PollMessage;

/**
 * The forwarded data path as one call per post and per poll. A call is never repeated: a post
 * carried out twice would be worse than one that failed. Any thread.
 */
final class UnaryLane extends MessageLane {
    private final Channel channel;
    private final CallTiming timing;

    UnaryLane(Channel channel, CallTiming timing) {
        this.channel = channel;
        this.timing = timing;
    }

    @Override
    public boolean pushes() {
        return false;
    }

    @Override
    public void poll(long cq, int consumerIndex, int max) {
        var _ = send(request()
                .setPoll(PollMessage.newBuilder()
                        .setCq(cq)
                        .setConsumerIndex(consumerIndex)
                        .setMaxEntries(max))
                .build());
    }

    @Override
    VerbsStatus send(DataRequestMessage request) {
        try {
            DataReplyMessage reply = ClientCalls.blockingUnaryCall(
                    channel, DeviceChannelGrpc.getExchangeMethod(), timing.options(), request);
            deliver(reply);
            return VerbsStatus.of(reply.getStatus());
        } catch (StatusRuntimeException e) {
            return e.getStatus().getCode() == Status.Code.DEADLINE_EXCEEDED ? VerbsStatus.ETIMEDOUT : VerbsStatus.EIO;
        }
    }
}
