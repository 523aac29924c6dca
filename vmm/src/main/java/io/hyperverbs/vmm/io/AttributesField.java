package io.hyperverbs.vmm.io;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.hyperverbs.verbs.GlobalRoute;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Attributes of a queue pair: a map from bit number to value, and route and static rate of AV. Immutable; any thread. */
final class AttributesField extends Field {
    private static final int BIT_TAG = Scalar.UINT32.tag(1);
    private static final int VALUE_TAG = Scalar.UINT64.tag(2);

    private final int number;
    private final MessageField route;
    private final ScalarField staticRate;

    /** What was read so far. */
    private static final class Read {
        private final Map<Integer, Long> values = new HashMap<>();
        private final @Nullable Object[] route = {null};
        private final @Nullable Object[] staticRate = {0};
    }

    /** Has no name, as its words name each attribute. */
    AttributesField(int number, int routeNumber, int staticRateNumber) {
        super("");
        this.number = number;
        this.route = MessageField.optional("", routeNumber, Shapes.ROUTE);
        this.staticRate = uint32("", staticRateNumber);
    }

    @Override
    @Nullable
    Object initial() {
        return null;
    }

    @Override
    boolean merge(int tag, CodedInputStream in, @Nullable Object[] state, int slot) throws IOException {
        Read read = state[slot] == null ? new Read() : (Read) state[slot];
        boolean isOurs = true;
        if (tag == Scalar.BYTES.tag(number)) {
            readEntry(in, read);
        } else {
            isOurs = route.merge(tag, in, read.route, 0) || staticRate.merge(tag, in, read.staticRate, 0);
        }
        if (isOurs) {
            state[slot] = read;
        }
        return isOurs;
    }

    private static void readEntry(CodedInputStream in, Read read) throws IOException {
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
        read.values.put(bit, value);
    }

    @Override
    Object value(@Nullable Object state) {
        Read read = state == null ? new Read() : (Read) state;
        QpAttributes attributes = QpAttributes.none();
        int known = 0;
        for (QpAttribute attribute : QpAttribute.values()) {
            Long value = read.values.get(attribute.bitNumber());
            if (value != null) {
                attributes = attributes.with(attribute, value);
                known++;
            }
        }
        if (known != read.values.size()) {
            throw new ProtocolViolation("unknown attributes among " + read.values.keySet());
        }
        Object to = route.value(read.route[0]);
        int rate = (int) Objects.requireNonNull(staticRate.value(read.staticRate[0]));
        if ((to != null || rate != 0) && !attributes.has(QpAttribute.AV)) {
            throw new ProtocolViolation("a route or static rate without an address vector");
        }
        attributes = rate == 0 ? attributes : attributes.withStaticRate(rate);
        return to == null ? attributes : attributes.withRoute((GlobalRoute) to);
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
        route.write(out, attributes(value).route());
        staticRate.write(out, attributes(value).staticRate());
    }

    @Override
    String words(@Nullable Object value, ObjectNames names) {
        return AttributeText.of(attributes(value));
    }

    private static QpAttributes attributes(@Nullable Object value) {
        return (QpAttributes) Objects.requireNonNull(value);
    }
}
