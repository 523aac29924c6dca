package io.hyperverbs.tests.fuzz;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.ArrayList;
import java.util.List;

/**
 * Messages of a type out of bytes: each field is there or not, and numbers are mostly such as mean
 * something. So mutated bytes stay messages, other ones, rather than noise that no parser takes.
 */
final class MessageShape {
    private static final int MOST_REPEATS = 4;
    private static final long[] EDGES = {
        0,
        1,
        2,
        3,
        7,
        8,
        16,
        63,
        64,
        4096,
        0x7fff_ffffL,
        0x8000_0000L,
        0xffff_ffffL,
        1L << 52,
        Long.MAX_VALUE,
        Long.MIN_VALUE,
        -1
    };

    private final Input input;
    private final List<Long> known;

    /**
     * @param known numbers that meant something so far: handles, frames, keys
     */
    MessageShape(Input input, List<Long> known) {
        this.input = input;
        this.known = known;
    }

    /** Fills {@code message}; of each oneof at most one field. */
    void fill(Message.Builder message) {
        for (var oneof : message.getDescriptorForType().getOneofs()) {
            List<FieldDescriptor> fields = oneof.getFields();
            int pick = input.below(256) % fields.size();
            set(message, fields.get(pick));
        }
        for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
            if (field.getContainingOneof() != null) {
                continue;
            }
            int times = field.isRepeated() ? input.below(MOST_REPEATS) : 1;
            for (int i = 0; i < times; i++) {
                set(message, field);
            }
        }
    }

    private void set(Message.Builder message, FieldDescriptor field) {
        Object value = switch (field.getJavaType()) {
            case INT -> (int) number();
            case LONG -> number();
            case BOOLEAN -> (input.nextByte() & 1) == 1;
            case STRING -> text();
            case BYTE_STRING -> ByteString.copyFrom(input.next(input.below(40)));
            case ENUM -> anyOf(field.getEnumType());
            case MESSAGE -> {
                Message.Builder part = message.newBuilderForField(field);
                fill(part);
                yield part.build();
            }
            case FLOAT, DOUBLE -> throw new IllegalStateException("no such field");
        };
        if (field.isRepeated()) {
            message.addRepeatedField(field, value);
        } else {
            message.setField(field, value);
        }
    }

    private Object anyOf(EnumDescriptor type) {
        return type.getValues().get(input.below(256) % type.getValues().size());
    }

    private long number() {
        int pick = input.nextByte();
        if (pick < 96) {
            return pick;
        }
        if (pick < 128) {
            return EDGES[pick % EDGES.length];
        }
        if (pick < 240 && !known.isEmpty()) {
            // The newest first: steps that build on each other stay together.
            return known.get(known.size() - 1 - (pick - 128) % known.size());
        }
        return pick < 250 ? input.nextInt() & 0xffff_ffffL : input.nextLong();
    }

    private String text() {
        int pick = input.nextByte();
        return switch (pick % 6) {
            case 0 -> "";
            case 1 -> "domain/b/key";
            case 2 -> "key" + pick;
            case 3 -> "domain/a/key" + pick;
            case 4 -> "x".repeat(pick * 16);
            default -> new String(input.next(pick % 40), java.nio.charset.StandardCharsets.UTF_8);
        };
    }

    /** The numbers of a message that may be handles, keys or frames. */
    static List<Long> numbers(Message message) {
        List<Long> found = new ArrayList<>();
        message.getAllFields().forEach((field, value) -> {
            if (value instanceof Message part) {
                found.addAll(numbers(part));
            } else if (value instanceof Long number) {
                found.add(number);
            } else if (value instanceof Integer number && number > 255) {
                found.add(number & 0xffff_ffffL);
            }
        });
        return found;
    }
}
