package io.hyperverbs.launcher.node;

import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Lets in nobody but the operator. TLS has let in whoever has a certificate of the topology's authority for a client, which
 * is the operator alone; the name is looked at besides.
 */
final class OperatorOnly implements ServerInterceptor {
    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        if (isOperator(call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION))) {
            return next.startCall(call, headers);
        }
        call.close(Status.PERMISSION_DENIED.withDescription("not the operator of this topology"), new Metadata());
        return new ServerCall.Listener<>() {};
    }

    private static boolean isOperator(@Nullable SSLSession session) {
        try {
            return session != null && session.getPeerPrincipal().getName().equals("CN=" + NodeTls.OPERATOR);
        } catch (SSLPeerUnverifiedException e) {
            return false;
        }
    }
}
