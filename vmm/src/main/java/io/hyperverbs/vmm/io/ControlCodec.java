package io.hyperverbs.vmm.io;

import static io.hyperverbs.vmm.io.Field.handle;
import static io.hyperverbs.vmm.io.Field.string;
import static io.hyperverbs.vmm.io.Field.uint32;
import static io.hyperverbs.vmm.io.Field.uint64;

import io.grpc.MethodDescriptor;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.wire.DeviceChannelGrpc;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Between the records of this package and the messages of device_channel.proto, by the rows of {@link PrivilegedVerb}.
 * Stateless; any thread. What a message cannot mean is a {@link ProtocolViolation}; what the verbs refuse is left to the
 * backend.
 */
public final class ControlCodec {
    /** A request with its number, which a retry repeats. */
    public record Call(long requestId, ControlRequest request) {}

    /** {@code status} is 0 with a reply, or with none where the verb has nothing to tell. */
    record Answer(int status, String message, @Nullable ControlReply reply) {}

    /** Two requests have this message in common. */
    record ModifySrq(long srq, Object change, long ring) {}

    record Limit(int limit) {}

    record Size(int receiveWr) {}

    private static final Shape<ModifySrq> MODIFY_SRQ = Shape.of(
            ModifySrq.class,
            handle("srq", 1),
            new Union("change", "modify_srq without a change")
                    .read(uint32("limit", 2), limit -> new Limit((int) limit))
                    .read(uint32("max_wr", 3), size -> new Size((int) size)),
            handle("ring", 4));

    private static final Shape<Call> CALL = Shape.of(Call.class, uint64("request_id", 1), requests());
    private static final Shape<Answer> ANSWER =
            Shape.of(Answer.class, uint32("status", 1), string("message", 2), ReplyShapes.CONTROL);

    private ControlCodec() {}

    private static Union requests() {
        Union control = new Union("request", "message without a request");
        Union management = new Union("request", "management message without a request");
        for (PrivilegedVerb verb : PrivilegedVerb.values()) {
            Union into = verb.isManagement() ? management : control;
            if (verb == PrivilegedVerb.ARM_SRQ || verb == PrivilegedVerb.RESIZE_SRQ) {
                Field message = MessageField.message("", verb.number(), verb.shape());
                var _ = into.written(verb.shape().type(), message, whole -> whole);
            } else {
                var _ = into.message(verb.number(), verb.shape());
            }
        }
        return control.read(
                        MessageField.message("", PrivilegedVerb.ARM_SRQ.number(), MODIFY_SRQ), ControlCodec::modifySrq)
                .message(120, Shape.of(ControlRequest.Management.class, management));
    }

    private static Object modifySrq(Object message) {
        ModifySrq r = (ModifySrq) message;
        return r.change() instanceof Limit limit
                ? new ControlRequest.ArmSrq(r.srq(), limit.limit())
                : new ControlRequest.ResizeSrq(r.srq(), ((Size) r.change()).receiveWr(), r.ring());
    }

    /** The call of the service DeviceChannel, with these messages in place of generated ones. */
    public static MethodDescriptor<WireMessage<Call>, WireMessage<ControlReply>> method() {
        return DeviceChannelGrpc.getCallMethod().toBuilder(
                        WireMessage.marshaller(ControlCodec::parseCall),
                        WireMessage.marshaller(ControlCodec::parseReply))
                .build();
    }

    /** A request as a message to be sent. */
    public static WireMessage<Call> message(long requestId, ControlRequest request) {
        Call call = new Call(requestId, request);
        return new WireMessage<>(CALL.bytes(call), () -> call);
    }

    /** A reply as a message to be sent. */
    public static WireMessage<ControlReply> message(ControlReply reply) {
        return new WireMessage<>(bytesOf(reply), () -> reply);
    }

    /**
     * A message that came in.
     *
     * @throws IOException if the bytes are no message
     */
    public static WireMessage<Call> parseCall(byte[] bytes) throws IOException {
        @Nullable Object[] state = CALL.parse(bytes);
        return new WireMessage<>(bytes, () -> CALL.build(state));
    }

    /**
     * A message that came back.
     *
     * @throws IOException if the bytes are no message
     */
    public static WireMessage<ControlReply> parseReply(byte[] bytes) throws IOException {
        @Nullable Object[] state = ANSWER.parse(bytes);
        return new WireMessage<>(bytes, () -> reply(ANSWER.build(state)));
    }

    private static ControlReply reply(Answer answer) {
        if (answer.status != 0) {
            return new ControlReply.Refused(VerbsStatus.of(answer.status), answer.message);
        }
        return answer.reply == null ? new ControlReply.Done() : answer.reply;
    }

    /** What a request's message holds, the same for equal requests. */
    public static byte[] bytesOf(ControlRequest request) {
        return CALL.bytes(new Call(0, request));
    }

    /** What a reply's message holds, the same for equal replies. */
    public static byte[] bytesOf(ControlReply reply) {
        return ANSWER.bytes(
                switch (reply) {
                    case ControlReply.Done _ -> new Answer(0, "", null);
                    case ControlReply.Refused r -> new Answer(r.status().code(), r.message(), null);
                    default -> new Answer(0, "", reply);
                });
    }

    /**
     * The request that {@link #bytesOf(ControlRequest)} made bytes of.
     *
     * @throws ProtocolViolation if it did not
     */
    public static ControlRequest request(byte[] bytes) {
        try {
            return parseCall(bytes).content().request();
        } catch (IOException e) {
            throw new ProtocolViolation("no message: " + e.getMessage());
        }
    }

    /**
     * The reply that {@link #bytesOf(ControlReply)} made bytes of.
     *
     * @throws ProtocolViolation if it did not
     */
    public static ControlReply reply(byte[] bytes) {
        try {
            return parseReply(bytes).content();
        } catch (IOException e) {
            throw new ProtocolViolation("no message: " + e.getMessage());
        }
    }
}
