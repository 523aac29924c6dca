package io.hyperverbs.frontend.channel;

import com.google.protobuf.ByteString;
import io.hyperverbs.hca.layout.CqeLayout;
import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.wire.CompletionsMessage;
import io.hyperverbs.vmm.io.wire.ControlRequestMessage;
import io.hyperverbs.vmm.io.wire.DataReplyMessage;
import io.hyperverbs.vmm.io.wire.DataRequestMessage;
import io.hyperverbs.vmm.io.wire.PostEntriesMessage;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The backend's half of the forwarded path with one CQ and one queue pair: each posted send
 * completes with its own wrId. Counts what a completion ring of that size would have overrun.
 */
final class CompletingHca {
    private static final long CONTEXT = 0x10_0000;
    private static final long CQ = 0x14_0001;
    private static final int QPN = 0x123456;

    private final QueueGeometry geometry;
    private final int cqEntries;
    private final List<byte[]> ring = new ArrayList<>();
    private final List<Integer> sequences = new ArrayList<>();
    private int posted;
    private int consumer;
    private int sent;
    private int overruns;
    private int largestMessage;
    private boolean holding;
    private VerbsStatus refusal = VerbsStatus.SUCCESS;

    CompletingHca(QpLimits limits, int cqEntries) {
        this.geometry = QueueGeometry.of(limits);
        this.cqEntries = cqEntries;
    }

    ControlReply control(ControlRequestMessage message) {
        return switch (TestBackend.request(message)) {
            case ControlRequest.OpenContext _ -> new ControlReply.ContextOpened(CONTEXT, 0, 0);
            case ControlRequest.AllocatePd _ -> new ControlReply.PdAllocated(2, 2);
            case ControlRequest.CreateCq r when r.ring() == 0 -> new ControlReply.CqCreated(CQ, 1, 0, r.entries());
            case ControlRequest.CreateQp r when r.ring() == 0 -> new ControlReply.QpCreated(4, QPN, 0);
            case ControlRequest.ModifyQp _ -> new ControlReply.Done();
            case ControlRequest.Destroy _ -> new ControlReply.Done();
            case ControlRequest other -> new ControlReply.Refused(VerbsStatus.EINVAL, "unexpected " + other);
        };
    }

    synchronized DataReplyMessage data(DataRequestMessage message) {
        largestMessage = Math.max(largestMessage, message.getSerializedSize());
        return switch (message.getRequestCase()) {
            case POST_SEND -> postSend(message.getPostSend());
            case CONSUMED -> consumed(message.getConsumed().getConsumerIndex());
            case ARM -> consumed(message.getArm().getConsumerIndex());
            case POLL -> {
                consumed(message.getPoll().getConsumerIndex());
                yield completions();
            }
            case POST_RECEIVE, POST_SHARED_RECEIVE, REQUEST_NOT_SET -> status(VerbsStatus.EINVAL);
        };
    }

    /** Completions stay here from now on. */
    synchronized void hold() {
        holding = true;
    }

    synchronized int held() {
        return ring.size() - sent;
    }

    synchronized DataReplyMessage release() {
        holding = false;
        return completions();
    }

    synchronized void refuse(VerbsStatus status) {
        refusal = status;
    }

    synchronized int overruns() {
        return overruns;
    }

    synchronized int largestMessage() {
        return largestMessage;
    }

    synchronized List<Integer> sequences() {
        return List.copyOf(sequences);
    }

    long cqHandle() {
        return CQ;
    }

    long contextHandle() {
        return CONTEXT;
    }

    private DataReplyMessage postSend(PostEntriesMessage post) {
        if (refusal != VerbsStatus.SUCCESS) {
            return status(refusal);
        }
        byte[] bytes = post.getEntries().toByteArray();
        if (bytes.length != post.getCount() * geometry.sendStrideBytes()) {
            return status(VerbsStatus.EINVAL);
        }
        MemorySegment entries = MemorySegment.ofArray(new long[bytes.length / 8]);
        entries.copyFrom(MemorySegment.ofArray(bytes));
        for (int i = 0; i < post.getCount(); i++) {
            complete(SendWqeLayout.wrId(entries, (long) i * geometry.sendStrideBytes()));
        }
        return completions();
    }

    private void complete(long wrId) {
        if (ring.size() - consumer >= cqEntries) {
            overruns++;
        }
        MemorySegment cqe = MemorySegment.ofArray(new long[8]);
        CqeLayout.write(cqe, 0, wrId, 0, WorkCompletion.Opcode.RDMA_WRITE.code(), 0, QPN, 0, 0, ++posted);
        CqeLayout.publishRelease(cqe, 0, ring.size() + 1);
        sequences.add(ring.size() + 1);
        ring.add(cqe.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE));
    }

    private DataReplyMessage consumed(int index) {
        if (index < consumer || index > sent) {
            throw new IllegalStateException("consumer index " + index + ", was " + consumer + ", sent " + sent);
        }
        consumer = index;
        return DataReplyMessage.getDefaultInstance();
    }

    private DataReplyMessage completions() {
        if (holding || sent == ring.size()) {
            return DataReplyMessage.getDefaultInstance();
        }
        ByteString entries = ByteString.EMPTY;
        int first = sent;
        for (; sent < ring.size(); sent++) {
            entries = entries.concat(ByteString.copyFrom(ring.get(sent)));
        }
        return DataReplyMessage.newBuilder()
                .addCompletions(CompletionsMessage.newBuilder()
                        .setCq(CQ)
                        .setFirstIndex(first)
                        .setEntries(entries))
                .build();
    }

    private static DataReplyMessage status(VerbsStatus status) {
        return DataReplyMessage.newBuilder().setStatus(status.code()).build();
    }
}
