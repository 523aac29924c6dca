package io.hyperverbs.backend.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.hyperverbs.vmm.io.wire.ControlReplyMessage;
import io.hyperverbs.vmm.io.wire.ControlRequestMessage;
import io.hyperverbs.vmm.io.wire.DeviceChannelGrpc;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls with the token, with another one, and with none. */
class TokenCheckTest {
    private static final String TOKEN = "0123456789abcdef";

    private int mismatches;
    private int started;
    private final TokenCheck check = new TokenCheck(TOKEN, () -> mismatches++);
    private final Call call = new Call();

    /** A call that remembers how it was closed. */
    private static final class Call extends ServerCall<ControlRequestMessage, ControlReplyMessage> {
        private Status closed;

        @Override
        public void request(int messages) {}

        @Override
        public void sendHeaders(Metadata headers) {}

        @Override
        public void sendMessage(ControlReplyMessage message) {}

        @Override
        public void close(Status status, Metadata trailers) {
            closed = status;
        }

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public MethodDescriptor<ControlRequestMessage, ControlReplyMessage> getMethodDescriptor() {
            return DeviceChannelGrpc.getCallMethod();
        }
    }

    private void come(Metadata headers) {
        var _ = check.interceptCall(call, headers, (_, _) -> {
            started++;
            return new ServerCall.Listener<>() {};
        });
    }

    private static Metadata with(String token) {
        Metadata headers = new Metadata();
        headers.put(TokenCheck.TOKEN, token);
        return headers;
    }

    @Test
    void startsCallsWithTheToken() {
        come(with(TOKEN));

        assertThat(started).isEqualTo(1);
        assertThat(call.closed).isNull();
        assertThat(mismatches).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0123456789abcde", "0123456789abcdef0", "0123456789abcdeF"})
    void turnsCallsWithAnotherOneAway(String token) {
        come(with(token));

        assertTurnedAway();
    }

    @Test
    void turnsCallsWithoutOneAway() {
        come(new Metadata());

        assertTurnedAway();
    }

    private void assertTurnedAway() {
        assertThat(started).isZero();
        assertThat(call.closed.getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(call.closed.getDescription()).isNull();
        assertThat(mismatches).isEqualTo(1);
    }
}
