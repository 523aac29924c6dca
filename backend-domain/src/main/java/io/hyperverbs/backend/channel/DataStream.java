package io.hyperverbs.backend.channel;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.hyperverbs.backend.forwarded.CompletionBatch;
import io.hyperverbs.backend.forwarded.DataSink;
import io.hyperverbs.backend.forwarded.ForwardedContext;
import io.hyperverbs.backend.session.ContextObject;
import io.hyperverbs.backend.session.RejectedAct;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ProtocolViolation;
import io.hyperverbs.vmm.io.wire.DataReplyMessage;
import io.hyperverbs.vmm.io.wire.DataRequestMessage;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One stream of the forwarded data path. Requests come on the channel's thread, completions from
 * the pump's; answers of both go out one at a time.
 */
final class DataStream implements StreamObserver<DataRequestMessage>, DataSink {
    private static final Logger LOG = LoggerFactory.getLogger(DataStream.class);

    private final Session session;
    private final ForwardedCalls calls;
    private final ServerCallStreamObserver<DataReplyMessage> out;
    private final Consumer<ProtocolViolation> violated;
    private volatile boolean ended;

    DataStream(
            Session session,
            ForwardedCalls calls,
            ServerCallStreamObserver<DataReplyMessage> out,
            Consumer<ProtocolViolation> violated) {
        this.session = session;
        this.calls = calls;
        this.out = out;
        this.violated = violated;
        out.setOnReadyHandler(this::wakePumps);
        out.setOnCancelHandler(this::end);
    }

    @Override
    public void onNext(DataRequestMessage message) {
        session.countDataMessage();
        try {
            VerbsStatus status = calls.stream(message, this);
            if (status != VerbsStatus.SUCCESS) {
                send(ForwardedCalls.reply(status));
            }
        } catch (ProtocolViolation violation) {
            end();
            synchronized (out) {
                out.onError(Status.INVALID_ARGUMENT.asRuntimeException());
            }
            violated.accept(violation);
        } catch (RuntimeException | Error e) {
            session.rejections().count(RejectedAct.FAILED_CALL);
            if (session.rejections().record(System.nanoTime()) >= 0) {
                LOG.error("a message of {} failed", session.name(), e);
            }
            failed();
        }
    }

    @Override
    public void failed() {
        boolean before = ended;
        end();
        if (!before) {
            synchronized (out) {
                out.onError(Status.INTERNAL.asRuntimeException());
            }
        }
    }

    @Override
    public boolean isReady() {
        return !ended && out.isReady();
    }

    @Override
    public void completions(List<CompletionBatch> batches) {
        DataReplyMessage.Builder message = DataReplyMessage.newBuilder();
        for (CompletionBatch batch : batches) {
            message.addCompletions(ForwardedCalls.completions(batch));
        }
        send(message.build());
    }

    @Override
    public void onError(Throwable cancelled) {
        end();
    }

    @Override
    public void onCompleted() {
        end();
        synchronized (out) {
            out.onCompleted();
        }
    }

    private void send(DataReplyMessage message) {
        synchronized (out) {
            if (!ended) {
                out.onNext(message);
            }
        }
    }

    private void end() {
        ended = true;
        for (ContextObject context : session.contexts().objects()) {
            ForwardedContext path = context.forwarded();
            if (path != null) {
                path.unbind(this);
            }
        }
    }

    private void wakePumps() {
        for (ContextObject context : session.contexts().objects()) {
            ForwardedContext path = context.forwarded();
            if (path != null) {
                path.wake();
            }
        }
    }
}
