package io.hyperverbs.vmm.io;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import io.hyperverbs.vmm.io.wire.ControlReplyMessage;
import io.hyperverbs.vmm.io.wire.ControlRequestMessage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The codec beside the classes that protoc makes: of any bytes both say alike whether they are a message, and mean the
 * same by it, with fields that come twice, in another order, of another type, unknown, or cut off.
 */
class MutatedMessagesTest {
    private static final int ROUNDS = 60_000;
    private static final long SEED = 20_260_000L;

    private interface Codec {
        WireMessage<?> parse(byte[] bytes) throws IOException;
    }

    @Test
    void requestsMeanWhatGeneratedClassesTakeThemFor() {
        List<byte[]> valid = Stream.concat(
                        ControlCodecTest.requests(),
                        ManagementCodecTest.requests().map(ControlRequest.Management::new))
                .map(request -> ControlCodec.message(42, request).bytes())
                .toList();

        compare(valid, ControlRequestMessage.parser(), ControlCodec::parseCall);
    }

    @Test
    void repliesMeanWhatGeneratedClassesTakeThemFor() {
        List<byte[]> valid = Stream.concat(
                        ControlCodecTest.replies(),
                        ManagementCodecTest.replies().map(ControlReply.Management::new))
                .map(ControlCodec::bytesOf)
                .toList();

        compare(valid, ControlReplyMessage.parser(), ControlCodec::parseReply);
    }

    private static void compare(List<byte[]> valid, Parser<? extends Message> generated, Codec codec) {
        Random random = new Random(SEED);
        int messages = 0;
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = round < valid.size() ? valid.get(round) : mutated(valid, random);
            String seen = "round " + round + " of seed " + SEED + ": " + Arrays.toString(bytes);
            Message reference = parse(generated, bytes);
            if (round < valid.size()) {
                assertThat(reference.getUnknownFields().asMap()).as(seen).isEmpty();
            }
            WireMessage<?> ours;
            try {
                ours = codec.parse(bytes);
            } catch (IOException e) {
                assertThat(reference).as(seen).isNull();
                continue;
            }
            assertThat(reference).as(seen).isNotNull();
            messages++;
            try {
                assertThat(outcome(ours)).as(seen).isEqualTo(outcome(codec.parse(reference.toByteArray())));
            } catch (IOException e) {
                throw new AssertionError(seen, e);
            }
        }
        assertThat(messages).isGreaterThan(ROUNDS / 20);
    }

    private static Message parse(Parser<? extends Message> generated, byte[] bytes) {
        try {
            return generated.parseFrom(bytes);
        } catch (InvalidProtocolBufferException e) {
            return null;
        }
    }

    private static Object outcome(WireMessage<?> message) {
        try {
            return message.content();
        } catch (RuntimeException e) {
            return e.getClass() + ": " + e.getMessage();
        }
    }

    private static byte[] mutated(List<byte[]> valid, Random random) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        // Of three, protobuf-java keeps what the second replaced: its builder of a oneof's first member is not cleared.
        for (int part = random.nextInt(2); part >= 0; part--) {
            bytes.writeBytes(valid.get(random.nextInt(valid.size())));
        }
        byte[] mutated = bytes.toByteArray();
        for (int change = random.nextInt(4); change > 0 && mutated.length > 0; change--) {
            int at = random.nextInt(mutated.length);
            switch (random.nextInt(4)) {
                case 0 -> mutated[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> mutated[at] = (byte) random.nextInt(128);
                case 2 -> mutated = Arrays.copyOf(mutated, at);
                default -> {
                    byte[] copy = Arrays.copyOf(mutated, mutated.length + 1);
                    System.arraycopy(mutated, at, copy, at + 1, mutated.length - at);
                    mutated = copy;
                }
            }
        }
        return mutated;
    }
}
