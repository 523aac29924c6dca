package io.hyperverbs.backend.channel;

import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Parses messages of guests without throwing: an exception would be logged with its stack trace, by
 * gRPC's own executor, for each message that a hostile guest sends. Any thread.
 */
final class LenientMarshaller<Q> implements MethodDescriptor.Marshaller<Q> {
    private final MethodDescriptor.Marshaller<Q> strict;

    private LenientMarshaller(MethodDescriptor.Marshaller<Q> strict) {
        this.strict = strict;
    }

    /** The service with its requests parsed so. */
    static ServerServiceDefinition of(BindableService service) {
        ServerServiceDefinition bound = service.bindService();
        ServiceDescriptor.Builder descriptor =
                ServiceDescriptor.newBuilder(bound.getServiceDescriptor().getName());
        List<ServerMethodDefinition<?, ?>> methods = new ArrayList<>();
        for (ServerMethodDefinition<?, ?> method : bound.getMethods()) {
            ServerMethodDefinition<?, ?> lenient = of(method);
            methods.add(lenient);
            descriptor.addMethod(lenient.getMethodDescriptor());
        }
        ServerServiceDefinition.Builder builder = ServerServiceDefinition.builder(descriptor.build());
        methods.forEach(builder::addMethod);
        return builder.build();
    }

    private static <Q, R> ServerMethodDefinition<Q, R> of(ServerMethodDefinition<Q, R> method) {
        MethodDescriptor<Q, R> strict = method.getMethodDescriptor();
        return ServerMethodDefinition.create(
                strict.toBuilder(new LenientMarshaller<>(strict.getRequestMarshaller()), strict.getResponseMarshaller())
                        .build(),
                method.getServerCallHandler());
    }

    @Override
    public InputStream stream(Q message) {
        return strict.stream(message);
    }

    /** Null for bytes that are no message. */
    @Override
    @SuppressWarnings("NullAway") // gRPC's interface is not annotated; UsefulCalls takes the null
    public @Nullable Q parse(InputStream bytes) {
        try {
            return strict.parse(bytes);
        } catch (RuntimeException | StackOverflowError e) {
            return null;
        }
    }
}
