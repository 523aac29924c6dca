package io.hyperverbs.vmm.io;

import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Supplier;

/** A message of the device channel as its bytes, and what it means. Immutable; any thread. */
public final class WireMessage<R> {
    private final byte[] bytes;
    private final Supplier<R> content;

    WireMessage(byte[] bytes, Supplier<R> content) {
        this.bytes = bytes;
        this.content = content;
    }

    /** Takes bytes that a peer sent. */
    interface Parser<R> {
        WireMessage<R> parse(byte[] bytes) throws IOException;
    }

    /**
     * What it means.
     *
     * @throws ProtocolViolation if it is a message that no correct peer sends
     */
    public R content() {
        return content.get();
    }

    /** How long it is. */
    public int sizeBytes() {
        return bytes.length;
    }

    /** A copy of its bytes. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** For gRPC; bytes that are no message are INTERNAL, as with generated classes. */
    static <R> MethodDescriptor.Marshaller<WireMessage<R>> marshaller(Parser<R> parser) {
        return new MethodDescriptor.Marshaller<>() {
            @Override
            public InputStream stream(WireMessage<R> message) {
                return new ByteArrayInputStream(message.bytes);
            }

            @Override
            public WireMessage<R> parse(InputStream stream) {
                try {
                    return parser.parse(stream.readAllBytes());
                } catch (IOException e) {
                    throw Status.INTERNAL
                            .withDescription("Invalid protobuf byte sequence")
                            .withCause(e)
                            .asRuntimeException();
                }
            }
        };
    }
}
