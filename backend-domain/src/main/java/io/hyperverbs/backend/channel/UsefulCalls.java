package io.hyperverbs.backend.channel;

import com.google.protobuf.MessageLite;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.hyperverbs.backend.budget.ChannelBudget;
import io.hyperverbs.vmm.io.WireMessage;
import org.jspecify.annotations.Nullable;

/**
 * Gives back to a domain's budget what calls with messages took of it, and ends calls whose message
 * cannot be read ({@link LenientMarshaller}). Channel thread.
 */
final class UsefulCalls implements ServerInterceptor {
    private final ChannelBudget budget;

    UsefulCalls(ChannelBudget budget) {
        this.budget = budget;
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        return new Counting<>(call, next.startCall(call, headers));
    }

    private static int sizeBytes(Object message) {
        return switch (message) {
            case WireMessage<?> verb -> verb.sizeBytes();
            case MessageLite generated -> generated.getSerializedSize();
            default -> 0;
        };
    }

    private final class Counting<Q, R> extends SimpleForwardingServerCallListener<Q> {
        private final ServerCall<Q, R> call;
        private boolean useful;
        private boolean refused;

        Counting(ServerCall<Q, R> call, ServerCall.Listener<Q> listener) {
            super(listener);
            this.call = call;
        }

        @Override
        public void onMessage(@Nullable Q message) {
            if (refused) {
                return;
            }
            if (message == null) {
                refused = true;
                call.close(Status.INVALID_ARGUMENT, new Metadata());
                return;
            }
            if (!useful) {
                useful = true;
                budget.usefulCall();
            }
            budget.message(sizeBytes(message));
            super.onMessage(message);
        }

        @Override
        public void onHalfClose() {
            if (!refused) {
                super.onHalfClose();
            }
        }
    }
}
