package io.hyperverbs.vmm.io;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A component of a sealed type as a oneof: one field for each of its records. Of several that come in a message the
 * last one holds. Immutable once its message is built; any thread.
 */
final class Union extends Field {
    private record Choice(Field field, Function<Object, Object> in, Function<Object, Object> out) {}

    /** What was read, and of which choice. */
    private record Read(Choice choice, @Nullable Object held) {}

    private final @Nullable String violation;
    private final List<Choice> read = new ArrayList<>();
    private final Map<Class<?>, Choice> written = new HashMap<>();

    /** {@code violation} says that there is none, which is one; null: the component may be null. */
    Union(String name, @Nullable String violation) {
        super(name);
        this.violation = violation;
    }

    /** The record {@code type} is a message of its shape. */
    Union message(int number, Shape<?> shape) {
        return choice(shape.type(), MessageField.message("", number, shape), whole -> whole, whole -> whole);
    }

    /** {@code type} has one component, which is the field. */
    <T> Union choice(Class<T> type, Field field, Function<Object, Object> in, Function<T, Object> out) {
        return written(type, field, out).read(field, in);
    }

    /** How {@code type} is written; what is read of it is another choice's. */
    @SuppressWarnings("unchecked") // it is asked for records of that type alone
    <T> Union written(Class<T> type, Field field, Function<T, Object> out) {
        written.put(type, new Choice(field, whole -> whole, (Function<Object, Object>) (Function<?, ?>) out));
        return this;
    }

    /** What becomes of a field that is read. */
    Union read(Field field, Function<Object, Object> in) {
        read.add(new Choice(field, in, whole -> whole));
        return this;
    }

    @Override
    @Nullable
    Object initial() {
        return null;
    }

    @Override
    boolean merge(int tag, CodedInputStream in, @Nullable Object[] state, int slot) throws IOException {
        Read before = (Read) state[slot];
        @Nullable Object[] own = {null};
        for (Choice choice : read) {
            own[0] = before != null && before.choice.equals(choice) ? before.held : choice.field.initial();
            if (choice.field.merge(tag, in, own, 0)) {
                state[slot] = new Read(choice, own[0]);
                return true;
            }
        }
        return false;
    }

    @Override
    @Nullable
    Object value(@Nullable Object state) {
        if (state == null) {
            if (violation == null) {
                return null;
            }
            throw new ProtocolViolation(violation);
        }
        Read found = (Read) state;
        return found.choice.in.apply(Objects.requireNonNull(found.choice.field.value(found.held)));
    }

    @Override
    void write(CodedOutputStream out, @Nullable Object value) throws IOException {
        if (value != null) {
            Choice choice = Objects.requireNonNull(written.get(value.getClass()));
            choice.field.write(out, choice.out.apply(value));
        }
    }

    @Override
    String words(@Nullable Object value, ObjectNames names) {
        Object record = Objects.requireNonNull(value);
        Choice choice = Objects.requireNonNull(written.get(record.getClass()));
        return choice.field.words(choice.out.apply(record), names);
    }
}
