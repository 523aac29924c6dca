package io.hyperverbs.backend.channel;

import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.hyperverbs.backend.session.RejectedAct;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.verbs.RequestExecutor;
import io.hyperverbs.vmm.io.ControlCodec;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ProtocolViolation;
import io.hyperverbs.vmm.io.WireMessage;
import io.hyperverbs.vmm.io.wire.DataReplyMessage;
import io.hyperverbs.vmm.io.wire.DataRequestMessage;
import io.hyperverbs.vmm.io.wire.DeviceChannelGrpc;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The device channel of one session. Channel threads. A guest learns a status, never the words of
 * an exception.
 */
public final class DeviceChannelService implements BindableService, DeviceChannelGrpc.AsyncService {
    private static final Logger LOG = LoggerFactory.getLogger(DeviceChannelService.class);
    private static final MethodDescriptor<WireMessage<ControlCodec.Call>, WireMessage<ControlReply>> CALL =
            ControlCodec.method();

    private final Session session;
    private final RequestExecutor executor;
    private final ForwardedCalls forwarded;
    private final BiConsumer<Session, String> violations;

    /**
     * @param violations closes the session of a domain that broke the protocol, with the reason. Must not block: any
     *     channel thread
     */
    public DeviceChannelService(Session session, RequestExecutor executor, BiConsumer<Session, String> violations) {
        this.session = session;
        this.executor = executor;
        this.forwarded = new ForwardedCalls(session);
        this.violations = violations;
    }

    /** Privileged verbs come as the codec's messages, those of the data path as generated ones. */
    @Override
    public ServerServiceDefinition bindService() {
        ServerServiceDefinition generated = DeviceChannelGrpc.bindService(this);
        ServerServiceDefinition.Builder service =
                ServerServiceDefinition.builder(generated.getServiceDescriptor().getName());
        for (ServerMethodDefinition<?, ?> method : generated.getMethods()) {
            if (method.getMethodDescriptor().getFullMethodName().equals(CALL.getFullMethodName())) {
                var _ = service.addMethod(CALL, ServerCalls.asyncUnaryCall(this::verb));
            } else {
                var _ = service.addMethod(method);
            }
        }
        return service.build();
    }

    /** One privileged verb. */
    public void verb(WireMessage<ControlCodec.Call> message, StreamObserver<WireMessage<ControlReply>> responses) {
        answer(responses, () -> {
            ControlCodec.Call call = message.content();
            return ControlCodec.message(executor.execute(session, call.requestId(), call.request()));
        });
    }

    @Override
    public void exchange(DataRequestMessage message, StreamObserver<DataReplyMessage> responses) {
        session.countDataMessage();
        answer(responses, () -> forwarded.exchange(message));
    }

    @Override
    public StreamObserver<DataRequestMessage> stream(StreamObserver<DataReplyMessage> responses) {
        return new DataStream(
                session,
                forwarded,
                (ServerCallStreamObserver<DataReplyMessage>) responses,
                violation -> violations.accept(session, words(violation)));
    }

    private <R> void answer(StreamObserver<R> responses, Supplier<R> work) {
        R reply;
        try {
            reply = work.get();
        } catch (ProtocolViolation violation) {
            responses.onError(Status.INVALID_ARGUMENT.asRuntimeException());
            violations.accept(session, words(violation));
            return;
        } catch (RuntimeException | Error e) {
            session.rejections().count(RejectedAct.FAILED_CALL);
            if (session.rejections().record(System.nanoTime()) >= 0) {
                LOG.error("a call of {} failed", session.name(), e);
            }
            responses.onError(Status.INTERNAL.asRuntimeException());
            return;
        }
        responses.onNext(reply);
        responses.onCompleted();
    }

    private static String words(ProtocolViolation violation) {
        String message = violation.getMessage();
        return message == null ? "violation" : message;
    }
}
