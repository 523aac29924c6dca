package io.hyperverbs.vmm.io;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a record lies in a message: one {@link Field} for each of its components, in their order.
 *
 * <p>A message is read in two steps. {@link #parse} takes any bytes that are a message, as generated classes do: of a
 * field that comes twice the last one holds, what is not known is skipped. {@link #build} makes the record, and may
 * find that no frontend says such a thing. Immutable; any thread.
 */
final class Shape<R> {
    private static final int SMALL_BYTES = 64;
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    private final Class<R> type;
    private final Field[] fields;
    // Found when the first such message comes: most domains use few of the verbs.
    private volatile @Nullable Handles handles;

    /**
     * Of a record. Accessors are method handles of one type, for which the JVM makes a few classes; a constructor's would
     * have a type of its own, and classes of its own, which take a millisecond where the first such message comes.
     */
    private static final class Handles {
        private final @Nullable Constructor<?> constructor;
        private final MethodHandle[] accessors;

        private Handles(@Nullable Constructor<?> constructor, MethodHandle... accessors) {
            this.constructor = constructor;
            this.accessors = accessors;
        }
    }

    private Shape(Class<R> type, Field[] fields) {
        this.type = type;
        this.fields = fields;
    }

    /**
     * The shape of {@code type}, whose components are {@code fields}; one that is no record is the only field of its
     * message.
     */
    static <R> Shape<R> of(Class<R> type, Field... fields) {
        return new Shape<>(type, fields);
    }

    Class<R> type() {
        return type;
    }

    List<Field> fields() {
        return List.of(fields);
    }

    /** Fields of a message of which nothing has been read. */
    @Nullable
    Object[] begin() {
        @Nullable Object[] state = new @Nullable Object[fields.length];
        for (int i = 0; i < fields.length; i++) {
            state[i] = fields[i].initial();
        }
        return state;
    }

    /**
     * Reads a whole message.
     *
     * @throws IOException if the bytes are none
     */
    @Nullable
    Object[] parse(byte[] bytes) throws IOException {
        @Nullable Object[] state = begin();
        parse(CodedInputStream.newInstance(bytes), state);
        return state;
    }

    /** Reads up to the end of {@code in}, or of the part of it that was set as its limit. */
    void parse(CodedInputStream in, @Nullable Object[] state) throws IOException {
        int tag = in.readTag();
        while (tag != 0 && (merge(tag, in, state) || in.skipField(tag))) {
            tag = in.readTag();
        }
        in.checkLastTagWas(0);
    }

    /** Reads what follows {@code tag} if a field here has it. */
    boolean merge(int tag, CodedInputStream in, @Nullable Object[] state) throws IOException {
        for (int i = 0; i < fields.length; i++) {
            if (fields[i].merge(tag, in, state, i)) {
                return true;
            }
        }
        return false;
    }

    /**
     * The record of what was read.
     *
     * @throws ProtocolViolation if no frontend builds such a message
     */
    R build(@Nullable Object[] state) {
        @Nullable Object[] components = new @Nullable Object[fields.length];
        for (int i = 0; i < fields.length; i++) {
            components[i] = fields[i].value(state[i]);
        }
        Constructor<?> constructor = handles().constructor;
        if (constructor == null) {
            return type.cast(Objects.requireNonNull(components[0]));
        }
        try {
            return type.cast(constructor.newInstance(components));
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Error thrown) {
                throw thrown;
            }
            // A record's constructor declares no exception.
            throw (RuntimeException) e.getCause();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    void write(CodedOutputStream out, Object record) throws IOException {
        for (int i = 0; i < fields.length; i++) {
            fields[i].write(out, component(record, i));
        }
    }

    /** What the message of {@code record} holds, the same for equal records. */
    byte[] bytes(Object record) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(SMALL_BYTES);
        try {
            CodedOutputStream out = CodedOutputStream.newInstance(bytes, SMALL_BYTES);
            write(out, record);
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("an array takes all", e);
        }
        return bytes.toByteArray();
    }

    @Nullable
    Object component(Object record, int index) {
        try {
            return (Object) handles().accessors[index].invokeExact(record);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private Handles handles() {
        Handles found = handles;
        if (found == null) {
            found = find();
            handles = found;
        }
        return found;
    }

    private Handles find() {
        if (!type.isRecord()) {
            return new Handles(null, MethodHandles.identity(Object.class));
        }
        RecordComponent[] components = type.getRecordComponents();
        if (components.length != fields.length) {
            throw new IllegalStateException(type + " has " + components.length + " components, " + fields.length);
        }
        try {
            MethodHandle[] accessors = new MethodHandle[components.length];
            for (int i = 0; i < accessors.length; i++) {
                accessors[i] = LOOKUP.unreflect(components[i].getAccessor())
                        .asType(MethodType.methodType(Object.class, Object.class));
            }
            Class<?>[] types =
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
            return new Handles(type.getDeclaredConstructor(types), accessors);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
