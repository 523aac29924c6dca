package io.hyperverbs.vmm.io;

import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import java.util.HashMap;
import java.util.Map;

/** Attributes of queue pairs in messages: by bit number. */
final class AttributesCodec {
    private AttributesCodec() {}

    static Map<Integer, Long> toWire(QpAttributes attributes) {
        Map<Integer, Long> values = new HashMap<>();
        attributes.values().forEach((attribute, value) -> values.put(attribute.bitNumber(), value));
        return values;
    }

    static QpAttributes fromWire(Map<Integer, Long> values) {
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
}
