package io.hyperverbs.vmm.io;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.vmm.text.VisibleText;
import java.io.IOException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One component of a record: where it lies in the message, and how it reads in words. Immutable; any thread.
 *
 * <p>While a message is parsed, a slot of an array holds what was read of the field so far.
 */
abstract class Field {
    private static final int MAX_CHARACTERS = 240;

    private final String name;

    Field(String name) {
        this.name = name;
    }

    /** Its name in words. */
    String name() {
        return name;
    }

    /** What a slot holds before anything was read. */
    abstract @Nullable Object initial();

    /** Reads what follows {@code tag} into the slot if this field has that tag. */
    abstract boolean merge(int tag, CodedInputStream in, @Nullable Object[] state, int slot) throws IOException;

    /** The component that was read; throws {@link ProtocolViolation}. */
    abstract @Nullable Object value(@Nullable Object read);

    abstract void write(CodedOutputStream out, @Nullable Object value) throws IOException;

    /** The component in words: visible, on one line, not without end, since texts in it are a guest's. */
    String words(@Nullable Object value, ObjectNames names) {
        String text = VisibleText.line(String.valueOf(value));
        return text.length() <= MAX_CHARACTERS ? text : text.substring(0, MAX_CHARACTERS) + " and more";
    }

    /** The fields that stand for it in words; null if it has words of its own. */
    @Nullable
    Shape<?> expanded() {
        return null;
    }

    /** Whether the verb log of a domain says it; the journal says all. */
    boolean isInTrace() {
        return true;
    }

    boolean isHandle() {
        return false;
    }

    /** Whether the verb log leaves its name out. */
    boolean isBare() {
        return false;
    }

    /** Whether an object is known to people by it, rather than by its handle. */
    boolean isKnownBy() {
        return false;
    }

    /** Whether it is left out of words where it holds nothing. */
    boolean isLeftOut(@Nullable Object value) {
        return false;
    }

    static ScalarField handle(String name, int number) {
        return new ScalarField(name, number, Scalar.UINT64)
                .with(ScalarField.HANDLE)
                .words((value, names) -> names.of((long) value));
    }

    static ScalarField uint64(String name, int number) {
        return new ScalarField(name, number, Scalar.UINT64);
    }

    static ScalarField fixed64(String name, int number) {
        return new ScalarField(name, number, Scalar.FIXED64).words((value, _) -> "0x" + Long.toHexString((long) value));
    }

    static ScalarField uint32(String name, int number) {
        return new ScalarField(name, number, Scalar.UINT32);
    }

    static ScalarField int32(String name, int number) {
        return new ScalarField(name, number, Scalar.INT32);
    }

    /** A key or another number that people read in hexadecimal digits. */
    static ScalarField fixed32(String name, int number) {
        return new ScalarField(name, number, Scalar.FIXED32).hex();
    }

    static ScalarField bool(String name, int number) {
        return new ScalarField(name, number, Scalar.BOOL);
    }

    static ScalarField string(String name, int number) {
        return new ScalarField(name, number, Scalar.STRING);
    }

    static ScalarField data(String name, int number) {
        return new ScalarField(name, number, Scalar.BYTES)
                .as(
                        (PrivateData data) -> ByteString.copyFrom(data.bytes()),
                        (ByteString bytes) -> PrivateData.of(bytes.toByteArray()));
    }

    /** A constant whose codes are dense from 0; another code is a violation. */
    static <E> ScalarField constant(String name, int number, E[] constants, Function<E, Integer> code) {
        return uint32(name, number).as(code, (Integer found) -> {
            if (found < 0 || found >= constants.length) {
                throw new ProtocolViolation("number " + found + ", must be below " + constants.length);
            }
            return constants[found];
        });
    }

    /** A field of one number and a plain type. */
    static final class ScalarField extends Field {
        /** How a value reads. */
        interface Wording {
            String of(Object value, ObjectNames names);
        }

        private static final int ALWAYS = 1;
        private static final int QUIET = 2;
        private static final int KNOWN_BY = 4;
        private static final int UNLESS_ZERO = 8;
        private static final int HANDLE = 16;
        private static final int BARE = 32;

        private final int number;
        private final Scalar type;
        private final int tag;
        private final int flags;
        private final @Nullable Wording wording;
        private final @Nullable Function<Object, Object> toWire;
        private final @Nullable Function<Object, Object> fromWire;

        ScalarField(String name, int number, Scalar type) {
            this(name, number, type, 0, null, null, null);
        }

        private ScalarField(
                String name,
                int number,
                Scalar type,
                int flags,
                @Nullable Wording wording,
                @Nullable Function<Object, Object> toWire,
                @Nullable Function<Object, Object> fromWire) {
            super(name);
            this.number = number;
            this.type = type;
            this.tag = type.tag(number);
            this.flags = flags;
            this.wording = wording;
            this.toWire = toWire;
            this.fromWire = fromWire;
        }

        private ScalarField with(int flag) {
            return new ScalarField(name(), number, type, flags | flag, wording, toWire, fromWire);
        }

        ScalarField words(Wording changed) {
            return new ScalarField(name(), number, type, flags, changed, toWire, fromWire);
        }

        /** The component is another type than what lies in the message. */
        @SuppressWarnings("unchecked") // the record's component and the field's type are these two
        <J, W> ScalarField as(Function<J, W> out, Function<W, J> in) {
            return new ScalarField(
                    name(), number, type, flags, wording, (Function<Object, Object>) (Function<?, ?>) out, (Function<
                                    Object, Object>)
                            (Function<?, ?>) in);
        }

        /** Written also where it is 0, since its presence says something. */
        ScalarField always() {
            return with(ALWAYS);
        }

        /** Not in the verb log of a domain. */
        ScalarField quiet() {
            return with(QUIET);
        }

        /** Without its name in the verb log, as its words say what it is. */
        ScalarField bare() {
            return with(BARE);
        }

        ScalarField knownBy() {
            return with(KNOWN_BY);
        }

        ScalarField unlessZero() {
            return with(UNLESS_ZERO);
        }

        ScalarField hex() {
            return words((value, _) ->
                    "0x" + (value instanceof Integer i ? Integer.toHexString(i) : Long.toHexString((long) value)));
        }

        /** A number of 24 bits. */
        ScalarField number24() {
            return words((value, _) -> AttributeText.number24(Integer.toUnsignedLong((int) value)));
        }

        /** A mask of rights. */
        ScalarField rights() {
            return words((value, _) -> AttributeText.rights((int) value));
        }

        @Override
        Object initial() {
            return type.absent();
        }

        @Override
        boolean merge(int found, CodedInputStream in, @Nullable Object[] state, int slot) throws IOException {
            if (found != tag) {
                return false;
            }
            state[slot] = type.read(in);
            return true;
        }

        @Override
        @Nullable
        Object value(@Nullable Object read) {
            return fromWire == null || read == null ? read : fromWire.apply(read);
        }

        @Override
        void write(CodedOutputStream out, @Nullable Object value) throws IOException {
            if (value == null) {
                throw new IllegalStateException(name() + " is null");
            }
            Object held = toWire == null ? value : toWire.apply(value);
            if ((flags & ALWAYS) != 0 || !held.equals(type.absent())) {
                type.write(out, number, held);
            }
        }

        @Override
        String words(@Nullable Object value, ObjectNames names) {
            return wording == null || value == null ? super.words(value, names) : wording.of(value, names);
        }

        @Override
        boolean isInTrace() {
            return (flags & QUIET) == 0;
        }

        @Override
        boolean isHandle() {
            return (flags & HANDLE) != 0;
        }

        @Override
        boolean isBare() {
            return (flags & BARE) != 0;
        }

        @Override
        boolean isKnownBy() {
            return (flags & KNOWN_BY) != 0;
        }

        @Override
        boolean isLeftOut(@Nullable Object value) {
            return (flags & UNLESS_ZERO) != 0 && type.absent().equals(value);
        }
    }
}
