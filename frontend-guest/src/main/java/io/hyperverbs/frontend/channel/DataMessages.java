package io.hyperverbs.frontend.channel;

import com.google.protobuf.UnsafeByteOperations;
import io.hyperverbs.vmm.io.wire.ArmMessage;
import io.hyperverbs.vmm.io.wire.ConsumedMessage;
import io.hyperverbs.vmm.io.wire.DataRequestMessage;
import io.hyperverbs.vmm.io.wire.PollMessage;
import io.hyperverbs.vmm.io.wire.PostEntriesMessage;

/** The messages of the forwarded data path. Stateless. */
final class DataMessages {
    private DataMessages() {}

    static DataRequestMessage postSend(long qp, int count, byte[] entries) {
        return DataRequestMessage.newBuilder()
                .setPostSend(post(qp, count, entries))
                .build();
    }

    static DataRequestMessage postReceive(long qp, int count, byte[] entries) {
        return DataRequestMessage.newBuilder()
                .setPostReceive(post(qp, count, entries))
                .build();
    }

    static DataRequestMessage postSharedReceive(long srq, int count, byte[] entries) {
        return DataRequestMessage.newBuilder()
                .setPostSharedReceive(post(srq, count, entries))
                .build();
    }

    static DataRequestMessage consumed(long cq, int consumerIndex) {
        return DataRequestMessage.newBuilder()
                .setConsumed(ConsumedMessage.newBuilder().setCq(cq).setConsumerIndex(consumerIndex))
                .build();
    }

    static DataRequestMessage arm(long cq, boolean solicitedOnly, int consumerIndex) {
        return DataRequestMessage.newBuilder()
                .setArm(ArmMessage.newBuilder()
                        .setCq(cq)
                        .setSolicitedOnly(solicitedOnly)
                        .setConsumerIndex(consumerIndex))
                .build();
    }

    static DataRequestMessage poll(long cq, int consumerIndex, int max) {
        return DataRequestMessage.newBuilder()
                .setPoll(PollMessage.newBuilder()
                        .setCq(cq)
                        .setConsumerIndex(consumerIndex)
                        .setMaxEntries(max))
                .build();
    }

    private static PostEntriesMessage post(long qp, int count, byte[] entries) {
        return PostEntriesMessage.newBuilder()
                .setQp(qp)
                .setCount(count)
                .setEntries(UnsafeByteOperations.unsafeWrap(entries))
                .build();
    }
}
