package io.hyperverbs.tests.fuzz;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.hyperverbs.backend.channel.DeviceChannelService;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.verbs.RequestExecutor;
import io.hyperverbs.vmm.io.ControlCodec;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.WireMessage;
import io.hyperverbs.vmm.io.wire.ControlReplyMessage;
import io.hyperverbs.vmm.io.wire.ControlRequestMessage;
import io.hyperverbs.vmm.io.wire.DataReplyMessage;
import io.hyperverbs.vmm.io.wire.DataRequestMessage;
import java.io.IOException;

/** Calls of the device channel of a session, without the channel. */
final class ChannelCalls {
    private final DeviceChannelService service;
    private boolean violated;

    /** Of {@code session}'s guest. */
    ChannelCalls(Session session, RequestExecutor executor) {
        service = new DeviceChannelService(session, executor, (_, _) -> violated = true);
    }

    /** Whether the session would have been closed by now. */
    boolean isViolated() {
        return violated;
    }

    /** Calls; null: answered as a violation. Any other failure is an AssertionError. */
    ControlReplyMessage call(ControlRequestMessage message) {
        Answer<WireMessage<ControlReply>> answer = new Answer<>();
        try {
            service.verb(ControlCodec.parseCall(message.toByteArray()), answer);
            WireMessage<ControlReply> reply = answer.value();
            return reply == null ? null : ControlReplyMessage.parseFrom(reply.bytes());
        } catch (IOException e) {
            throw new AssertionError("a message of generated classes is none", e);
        }
    }

    /** The same on the forwarded data path. */
    DataReplyMessage exchange(DataRequestMessage message) {
        Answer<DataReplyMessage> answer = new Answer<>();
        service.exchange(message, answer);
        return answer.value();
    }

    private static final class Answer<T> implements StreamObserver<T> {
        private T reply;
        private Throwable error;
        private int ends;

        @Override
        public void onNext(T value) {
            reply = value;
        }

        @Override
        public void onError(Throwable t) {
            error = t;
            ends++;
        }

        @Override
        public void onCompleted() {
            ends++;
        }

        T value() {
            if (ends != 1 || (error == null) == (reply == null)) {
                throw new AssertionError(ends + " ends of one call", error);
            }
            if (error != null && Status.fromThrowable(error).getCode() != Status.Code.INVALID_ARGUMENT) {
                throw new AssertionError("a call failed inside", error);
            }
            return reply;
        }
    }
}
