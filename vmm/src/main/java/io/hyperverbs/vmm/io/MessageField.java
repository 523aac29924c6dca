package io.hyperverbs.vmm.io;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Records in messages of their own, or as part of the message around them. Immutable; any thread. */
final class MessageField extends Field {
    private enum Kind {
        MESSAGE,
        OPTIONAL,
        LIST,
        FLAT,
        WHOLE
    }

    private final Kind kind;
    private final int tag;
    private final Shape<?> shape;
    private final boolean quiet;

    private MessageField(Kind kind, String name, int tag, Shape<?> shape, boolean quiet) {
        super(name);
        this.kind = kind;
        this.tag = tag;
        this.shape = shape;
        this.quiet = quiet;
    }

    /** A message that is always meant: where it is not there, all its fields are 0. */
    static MessageField message(String name, int number, Shape<?> shape) {
        return new MessageField(Kind.MESSAGE, name, Scalar.BYTES.tag(number), shape, false);
    }

    /** A message, or null. */
    static MessageField optional(String name, int number, Shape<?> shape) {
        return new MessageField(Kind.OPTIONAL, name, Scalar.BYTES.tag(number), shape, false);
    }

    /** Any number of messages. */
    static MessageField list(String name, int number, Shape<?> shape) {
        return new MessageField(Kind.LIST, name, Scalar.BYTES.tag(number), shape, false);
    }

    /** A record whose fields are fields of the message around it, also in words. */
    static MessageField flat(String name, Shape<?> shape) {
        return new MessageField(Kind.FLAT, name, 0, shape, false);
    }

    /** Such a record that has words of its own. */
    static MessageField whole(String name, Shape<?> shape) {
        return new MessageField(Kind.WHOLE, name, 0, shape, false);
    }

    /** Not in the verb log of a domain. */
    MessageField quiet() {
        return new MessageField(kind, name(), tag, shape, true);
    }

    private boolean isPart() {
        return kind == Kind.FLAT || kind == Kind.WHOLE;
    }

    @Override
    @Nullable
    Object initial() {
        return isPart() ? shape.begin() : null;
    }

    @Override
    boolean merge(int found, CodedInputStream in, @Nullable Object[] state, int slot) throws IOException {
        if (isPart()) {
            return shape.merge(found, in, nested(state[slot]));
        }
        if (found != tag) {
            return false;
        }
        // A message that comes twice is one with the fields of both.
        @Nullable Object[] nested = kind == Kind.LIST || state[slot] == null ? shape.begin() : nested(state[slot]);
        int outer = in.pushLimit(in.readRawVarint32());
        shape.parse(in, nested);
        in.popLimit(outer);
        if (kind == Kind.LIST) {
            state[slot] = state[slot] == null ? new ArrayList<Object>() : state[slot];
            elements(state[slot]).add(nested);
        } else {
            state[slot] = nested;
        }
        return true;
    }

    @Override
    @Nullable
    Object value(@Nullable Object read) {
        if (kind == Kind.LIST) {
            List<Object> records = new ArrayList<>();
            if (read != null) {
                elements(read).forEach(each -> records.add(shape.build(nested(each))));
            }
            return records;
        }
        if (read == null) {
            return kind == Kind.OPTIONAL ? null : shape.build(shape.begin());
        }
        return shape.build(nested(read));
    }

    @Override
    void write(CodedOutputStream out, @Nullable Object value) throws IOException {
        if (value == null && kind == Kind.OPTIONAL) {
            return;
        }
        Object given = Objects.requireNonNull(value);
        if (isPart()) {
            shape.write(out, given);
        } else if (kind == Kind.LIST) {
            for (Object each : (List<?>) given) {
                writeMessage(out, each);
            }
        } else {
            writeMessage(out, given);
        }
    }

    private void writeMessage(CodedOutputStream out, Object record) throws IOException {
        out.writeUInt32NoTag(tag);
        out.writeByteArrayNoTag(shape.bytes(record));
    }

    private static @Nullable Object[] nested(@Nullable Object read) {
        return (@Nullable Object[]) Objects.requireNonNull(read);
    }

    @SuppressWarnings("unchecked") // what merge put there
    private static List<Object> elements(@Nullable Object read) {
        return (List<Object>) Objects.requireNonNull(read);
    }

    @Override
    @Nullable
    Shape<?> expanded() {
        return kind == Kind.LIST || kind == Kind.WHOLE || shape == Shapes.GID ? null : shape;
    }

    @Override
    boolean isInTrace() {
        return !quiet;
    }

    @Override
    boolean isLeftOut(@Nullable Object value) {
        return value == null;
    }
}
