package io.hyperverbs.backend.channel;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * Passes calls that carry the domain's launch token. The socket alone decides which domain calls;
 * a caller with another domain's token is still this socket's domain, with a wrong token.
 */
final class TokenCheck implements ServerInterceptor {
    static final Metadata.Key<String> TOKEN = Metadata.Key.of("hv-token", Metadata.ASCII_STRING_MARSHALLER);

    private final byte[] token;
    private final Runnable mismatch;

    /**
     * @param mismatch run after a call was turned away
     */
    TokenCheck(String token, Runnable mismatch) {
        this.token = token.getBytes(StandardCharsets.US_ASCII);
        this.mismatch = mismatch;
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        String presented = headers.get(TOKEN);
        if (presented == null || !MessageDigest.isEqual(token, presented.getBytes(StandardCharsets.US_ASCII))) {
            call.close(Status.PERMISSION_DENIED, new Metadata());
            mismatch.run();
            return new ServerCall.Listener<>() {};
        }
        return next.startCall(call, headers);
    }
}
