package io.hyperverbs.vmm.io;

import com.google.protobuf.InvalidProtocolBufferException;
import io.hyperverbs.vmm.io.wire.ControlReplyMessage;
import io.hyperverbs.vmm.io.wire.ControlRequestMessage;
import java.io.IOException;

/** Between records and the classes that protoc made of the .proto files, through the codec's bytes. */
final class GeneratedMessages {
    private GeneratedMessages() {}

    static ControlRequestMessage toWire(long requestId, ControlRequest request) {
        try {
            return ControlRequestMessage.parseFrom(
                    ControlCodec.message(requestId, request).bytes());
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
    }

    static ControlReplyMessage toWire(ControlReply reply) {
        try {
            return ControlReplyMessage.parseFrom(ControlCodec.bytesOf(reply));
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
    }

    static ControlRequest fromWire(ControlRequestMessage message) {
        try {
            return ControlCodec.parseCall(message.toByteArray()).content().request();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    static ControlReply fromWire(ControlReplyMessage message) {
        try {
            return ControlCodec.parseReply(message.toByteArray()).content();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
