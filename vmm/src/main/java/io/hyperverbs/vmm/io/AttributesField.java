package io.hyperverbs.vmm.io;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Attributes of a queue pair: a map from bit number to value. Immutable; any thread. */
final class AttributesField extends Field {
    private static final int BIT_TAG = Scalar.UINT32.tag(1);
    private static final int VALUE_TAG = Scalar.UINT64.tag(2);

    private final int number;

    /** Has no name, as its words name each attribute. */
    AttributesField(int number) {
        super("");
        this.number = number;
    }

    @Override
    @Nullable
    Object initial() {
        return null;
    }

    @Override
    @SuppressWarnings("unchecked") // what this method put there
    boolean merge(int tag, CodedInputStream in, @Nullable Object[] state, int slot) throws IOException {
        if (tag != Scalar.BYTES.tag(number)) {
            return false;
        }
        int outer = in.pushLimit(in.readRawVarint32());
        int bit = 0;
        long value = 0;
        int found = in.readTag();
        while (found != 0) {
            if (found == BIT_TAG) {
                bit = in.readUInt32();
            } else if (found == VALUE_TAG) {
                value = in.readInt64();
            } else if (!in.skipField(found)) {
                break;
            }
            found = in.readTag();
        }
        in.checkLastTagWas(0);
        in.popLimit(outer);
        if (state[slot] == null) {
            state[slot] = new HashMap<Integer, Long>();
        }
        var _ = ((Map<Integer, Long>) Objects.requireNonNull(state[slot])).put(bit, value);
        return true;
    }

    @Override
    @SuppressWarnings("unchecked") // what merge put there
    Object value(@Nullable Object read) {
        Map<Integer, Long> values = read == null ? Map.of() : (Map<Integer, Long>) read;
        QpAttributes attributes = QpAttributes.none();
        int known = 0;
        for (QpAttribute attribute : QpAttribute.values()) {
            Long value = values.get(attribute.bitNumber());
            if (value != null) {
                attributes = attributes.with(attribute, value);
                known++;
            }
        }
        if (known != values.size()) {
            throw new ProtocolViolation("unknown attributes among " + values.keySet());
        }
        return attributes;
    }

    /** An entry has both fields, also where they are 0. */
    @Override
    void write(CodedOutputStream out, @Nullable Object value) throws IOException {
        for (Map.Entry<QpAttribute, Long> entry : attributes(value).values().entrySet()) {
            int bit = entry.getKey().bitNumber();
            out.writeUInt32NoTag(Scalar.BYTES.tag(number));
            out.writeUInt32NoTag(CodedOutputStream.computeUInt32Size(1, bit)
                    + CodedOutputStream.computeInt64Size(2, entry.getValue()));
            out.writeUInt32(1, bit);
            out.writeInt64(2, entry.getValue());
        }
    }

    @Override
    String words(@Nullable Object value, ObjectNames names) {
        return AttributeText.of(attributes(value));
    }

    private static QpAttributes attributes(@Nullable Object value) {
        return (QpAttributes) Objects.requireNonNull(value);
    }
}
