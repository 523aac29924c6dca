package io.hyperverbs.backend.channel;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.hyperverbs.backend.forwarded.CompletionBatch;
import io.hyperverbs.backend.forwarded.DataSink;
import io.hyperverbs.backend.forwarded.ForwardedContext;
import io.hyperverbs.backend.forwarded.ForwardedCq;
import io.hyperverbs.backend.forwarded.ForwardedQp;
import io.hyperverbs.backend.forwarded.StagedSrq;
import io.hyperverbs.backend.session.ContextObject;
import io.hyperverbs.backend.session.CqObject;
import io.hyperverbs.backend.session.QpObject;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.session.SrqObject;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ProtocolViolation;
import io.hyperverbs.vmm.io.wire.ArmMessage;
import io.hyperverbs.vmm.io.wire.CompletionsMessage;
import io.hyperverbs.vmm.io.wire.ConsumedMessage;
import io.hyperverbs.vmm.io.wire.DataReplyMessage;
import io.hyperverbs.vmm.io.wire.DataRequestMessage;
import io.hyperverbs.vmm.io.wire.PollMessage;
import io.hyperverbs.vmm.io.wire.PostEntriesMessage;
import org.jspecify.annotations.Nullable;

/** Carries out the messages of the forwarded data path on a session's queues. Any thread. */
final class ForwardedCalls {
    private final Session session;

    ForwardedCalls(Session session) {
        this.session = session;
    }

    /**
     * One message of a stream.
     *
     * @param stream where completions of the context it names go from now on
     * @return SUCCESS, or why nothing was done
     */
    VerbsStatus stream(DataRequestMessage message, DataSink stream) {
        return switch (message.getRequestCase()) {
            case POST_SEND -> post(message.getPostSend(), true, stream);
            case POST_RECEIVE -> post(message.getPostReceive(), false, stream);
            case POST_SHARED_RECEIVE -> post(message.getPostSharedReceive(), stream);
            case CONSUMED -> consumed(message.getConsumed(), stream);
            case ARM -> arm(message.getArm(), stream);
            case POLL, REQUEST_NOT_SET -> throw new ProtocolViolation(message.getRequestCase() + " on a stream");
        };
    }

    /** One call of the unary variant. */
    DataReplyMessage exchange(DataRequestMessage message) {
        return switch (message.getRequestCase()) {
            case POST_SEND -> reply(post(message.getPostSend(), true, null));
            case POST_RECEIVE -> reply(post(message.getPostReceive(), false, null));
            case POST_SHARED_RECEIVE -> reply(post(message.getPostSharedReceive(), null));
            case CONSUMED -> reply(consumed(message.getConsumed(), null));
            case ARM -> reply(arm(message.getArm(), null));
            case POLL -> poll(message.getPoll());
            case REQUEST_NOT_SET -> throw new ProtocolViolation("empty data request");
        };
    }

    static CompletionsMessage completions(CompletionBatch batch) {
        return CompletionsMessage.newBuilder()
                .setCq(batch.cq())
                .setFirstIndex(batch.firstIndex())
                .setEntries(UnsafeByteOperations.unsafeWrap(batch.entries()))
                .build();
    }

    static DataReplyMessage reply(VerbsStatus status) {
        return DataReplyMessage.newBuilder().setStatus(status.code()).build();
    }

    private VerbsStatus post(PostEntriesMessage post, boolean send, @Nullable DataSink stream) {
        QpObject qp = session.qps().get(post.getQp());
        ForwardedQp queue = qp == null ? null : qp.forwarded();
        if (qp == null || queue == null || !bind(qp.pd().context(), stream)) {
            return VerbsStatus.EINVAL;
        }
        ByteString entries = post.getEntries();
        VerbsStatus status = send
                ? queue.postSend(post.getCount(), entries.asReadOnlyByteBuffer())
                : queue.postReceive(post.getCount(), entries.asReadOnlyByteBuffer());
        ForwardedContext path = qp.pd().context().forwarded();
        if (stream != null && path != null) {
            // Its completion is not far: the pump need not sleep through the interrupt.
            path.wake();
        }
        return status;
    }

    private VerbsStatus post(PostEntriesMessage post, @Nullable DataSink stream) {
        SrqObject srq = session.srqs().get(post.getQp());
        StagedSrq queue = srq == null ? null : srq.forwarded();
        return srq == null || queue == null || !bind(srq.pd().context(), stream)
                ? VerbsStatus.EINVAL
                : queue.post(post.getCount(), post.getEntries().asReadOnlyByteBuffer());
    }

    private VerbsStatus consumed(ConsumedMessage message, @Nullable DataSink stream) {
        ForwardedCq queue = find(message.getCq(), stream);
        if (queue == null) {
            return VerbsStatus.EINVAL;
        }
        queue.consumed(message.getConsumerIndex());
        return VerbsStatus.SUCCESS;
    }

    private VerbsStatus arm(ArmMessage message, @Nullable DataSink stream) {
        ForwardedCq queue = find(message.getCq(), stream);
        if (queue == null) {
            return VerbsStatus.EINVAL;
        }
        if (stream != null) {
            queue.armForStream(message.getSolicitedOnly(), message.getConsumerIndex());
            wakeForPeriod(message.getCq(), queue);
        } else {
            queue.armForCalls(message.getSolicitedOnly(), message.getConsumerIndex());
        }
        return VerbsStatus.SUCCESS;
    }

    private DataReplyMessage poll(PollMessage message) {
        ForwardedCq queue = find(message.getCq(), null);
        if (queue == null) {
            return reply(VerbsStatus.EINVAL);
        }
        CompletionBatch batch = queue.poll(message.getConsumerIndex(), message.getMaxEntries());
        return batch.entries().length == 0
                ? DataReplyMessage.getDefaultInstance()
                : DataReplyMessage.newBuilder()
                        .addCompletions(completions(batch))
                        .build();
    }

    // The pump may sleep without knowing of the period that has begun.
    private void wakeForPeriod(long handle, ForwardedCq queue) {
        CqObject cq = session.cqs().get(handle);
        ForwardedContext path = cq == null ? null : cq.context().forwarded();
        if (path != null && queue.nanosToPeriodEnd() != Long.MAX_VALUE) {
            path.wake();
        }
    }

    private @Nullable ForwardedCq find(long handle, @Nullable DataSink stream) {
        CqObject cq = session.cqs().get(handle);
        return cq != null && bind(cq.context(), stream) ? cq.forwarded() : null;
    }

    /** Whether the context has the data path that the message came by; binds the stream if so. */
    private static boolean bind(ContextObject context, @Nullable DataSink stream) {
        ForwardedContext path = context.forwarded();
        if (path == null) {
            return false;
        }
        if (stream == null) {
            return context.dataPath() == DataPathKind.FORWARDED_UNARY;
        }
        if (context.dataPath() != DataPathKind.FORWARDED) {
            return false;
        }
        path.bind(stream);
        return true;
    }
}
