package io.hyperverbs.backend.channel;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** Lets calls pass that carry the domain's launch token. */
final class TokenCheck implements ServerInterceptor {
    static final Metadata.Key<String> TOKEN =
            Metadata.Key.of("hv-token", Metadata.ASCII_STRING_MARSHALLER);

    private final byte[] token;

    TokenCheck(String token) {
        this.token = token.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        String presented = headers.get(TOKEN);
        if (presented == null
                || !MessageDigest.isEqual(token, presented.getBytes(StandardCharsets.US_ASCII))) {
            call.close(Status.PERMISSION_DENIED, new Metadata());
            return new ServerCall.Listener<>() {};
        }
        return next.startCall(call, headers);
    }
}
