package io.hyperverbs.tests.fuzz;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.hyperverbs.vmm.io.wire.ControlReplyMessage;
import io.hyperverbs.vmm.io.wire.ControlRequestMessage;
import io.hyperverbs.vmm.io.wire.DataReplyMessage;
import io.hyperverbs.vmm.io.wire.DataRequestMessage;

/**
 * Messages on the device channel, from their bytes to what the HCA does: the input is a sequence of
 * calls of a hostile guest, built field by field or given as raw bytes. {@link BackendScene} has
 * the guest and its victim, and judges.
 */
final class DeviceChannelTarget implements FuzzTarget {
    private static final int MOST_CALLS = 24;

    @Override
    public void play(Input input) {
        try (BackendScene scene = new BackendScene()) {
            ChannelCalls channel = scene.channel();
            for (int id = 1; id <= MOST_CALLS && input.hasMore() && !channel.isViolated(); id++) {
                int what = input.below(16);
                if (what < 12) {
                    control(scene, channel, input, id);
                } else if (what < 14) {
                    exchange(scene, channel, input);
                } else if (what == 14) {
                    raw(scene, channel, input);
                } else {
                    scene.work();
                }
                scene.assertWithinQuota();
            }
            scene.judge();
        }
    }

    private static void control(BackendScene scene, ChannelCalls channel, Input input, int nextId) {
        ControlRequestMessage.Builder message = ControlRequestMessage.newBuilder();
        new MessageShape(input, scene.known()).fill(message);
        // A request id out of order is a violation soon; mostly it is the next one.
        if (input.below(32) != 0) {
            message.setRequestId(nextId);
        }
        learn(scene, message.build(), channel.call(message.build()));
    }

    private static void exchange(BackendScene scene, ChannelCalls channel, Input input) {
        DataRequestMessage.Builder message = DataRequestMessage.newBuilder();
        new MessageShape(input, scene.known()).fill(message);
        DataReplyMessage _ = channel.exchange(message.build());
    }

    private static void raw(BackendScene scene, ChannelCalls channel, Input input) {
        byte[] bytes = input.next(input.nextByte());
        try {
            ControlRequestMessage message = ControlRequestMessage.parseFrom(bytes);
            learn(scene, message, channel.call(message));
        } catch (InvalidProtocolBufferException e) {
            // gRPC answers for us.
        }
    }

    private static void learn(BackendScene scene, Message request, ControlReplyMessage reply) {
        if (reply == null) {
            return;
        }
        String words = reply.getMessage();
        if (words.contains("Exception") || words.contains("\tat ")) {
            throw new AssertionError("words of an exception: " + words + " for " + request);
        }
        if (reply.getStatus() == 0) {
            MessageShape.numbers(reply).forEach(number -> scene.learn(number));
        }
    }
}
