package io.hyperverbs.backend.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.grpc.stub.StreamObserver;
import io.hyperverbs.vmm.io.wire.ArmMessage;
import io.hyperverbs.vmm.io.wire.ConsumedMessage;
import io.hyperverbs.vmm.io.wire.DataReplyMessage;
import io.hyperverbs.vmm.io.wire.DataRequestMessage;
import io.hyperverbs.vmm.io.wire.PollMessage;
import io.hyperverbs.vmm.io.wire.PostEntriesMessage;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** Messages of a forwarded data path, as a driver sends them. */
public final class ForwardedMessages {
    private ForwardedMessages() {}

    public static DataRequestMessage post(long qp, byte[] entry) {
        return DataRequestMessage.newBuilder()
                .setPostSend(
                        PostEntriesMessage.newBuilder().setQp(qp).setCount(1).setEntries(ByteString.copyFrom(entry)))
                .build();
    }

    public static DataRequestMessage arm(long cq, int index) {
        return DataRequestMessage.newBuilder()
                .setArm(ArmMessage.newBuilder().setCq(cq).setConsumerIndex(index))
                .build();
    }

    public static DataRequestMessage consumed(long cq, int index) {
        return DataRequestMessage.newBuilder()
                .setConsumed(ConsumedMessage.newBuilder().setCq(cq).setConsumerIndex(index))
                .build();
    }

    public static DataRequestMessage poll(long cq, int index) {
        return DataRequestMessage.newBuilder()
                .setPoll(PollMessage.newBuilder()
                        .setCq(cq)
                        .setConsumerIndex(index)
                        .setMaxEntries(16))
                .build();
    }

    public static DataReplyMessage next(BlockingQueue<DataReplyMessage> replies) throws InterruptedException {
        DataReplyMessage reply = replies.poll(5, TimeUnit.SECONDS);
        assertThat(reply).as("reply in time").isNotNull();
        assertThat(reply.getStatus()).isZero();
        return reply;
    }

    public static <T> StreamObserver<T> into(BlockingQueue<T> queue) {
        return new StreamObserver<>() {
            @Override
            public void onNext(T message) {
                queue.add(message);
            }

            @Override
            public void onError(Throwable cause) {}

            @Override
            public void onCompleted() {}
        };
    }
}
