package io.hyperverbs.frontend.channel;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.wire.DataReplyMessage;
import io.hyperverbs.vmm.io.wire.DataRequestMessage;
import io.hyperverbs.vmm.io.wire.DeviceChannelGrpc;
import org.jspecify.annotations.Nullable;

/**
 * The forwarded data path over one long-lived stream: posts go up and are not answered, completions
 * come down by themselves. What is under way is bounded by the rings, whose slots only completions
 * free. Any thread; completions are delivered on the event-loop thread.
 */
final class StreamLane extends MessageLane {
    private final ClientCall<DataRequestMessage, DataReplyMessage> call;
    private volatile @Nullable String failure;

    private StreamLane(ClientCall<DataRequestMessage, DataReplyMessage> call) {
        this.call = call;
    }

    /** Opens the stream. No deadline: it lasts as the session does. */
    static StreamLane open(Channel channel) {
        StreamLane forwarded =
                new StreamLane(channel.newCall(DeviceChannelGrpc.getStreamMethod(), CallOptions.DEFAULT));
        forwarded.start();
        return forwarded;
    }

    /** Why the stream ended, or null. */
    @Nullable
    String failure() {
        return failure;
    }

    @Override
    public boolean pushes() {
        return true;
    }

    @Override
    public void poll(long cq, int consumerIndex, int max) {}

    private void start() {
        call.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onMessage(DataReplyMessage reply) {
                        // A status alone says that a message named a queue which is gone: its
                        // completions are not missed.
                        deliver(reply);
                    }

                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        failure = "data stream ended: " + status;
                    }
                },
                new Metadata());
        call.request(Integer.MAX_VALUE);
    }

    /** A call takes one message at a time. */
    @Override
    synchronized VerbsStatus send(DataRequestMessage request) {
        if (failure != null) {
            return VerbsStatus.EIO;
        }
        call.sendMessage(request);
        return VerbsStatus.SUCCESS;
    }
}
