package io.hyperverbs.backend.mad;

import io.hyperverbs.verbs.PrivateData;
import java.nio.charset.StandardCharsets;

/**
 * Service record behind {@link SaHeaderLayout}: 176 bytes from byte 56 on, big-endian (IBA 15.2.5.14). Written by who
 * asks, with the fields that its component mask names, and by who answers.
 *
 * <pre>
 *  byte   +0                                +4
 *   56  | service id                                                        |
 *   64  | service GID                                                       |
 *   80  | P_Key          | 0              | lease, seconds                  |
 *   88  | service key, 16 bytes                                             |
 *  104  | service name, 64 bytes of UTF-8, zeroes behind it                 |
 *  168  | data, 64 bytes                                                    |
 * </pre>
 */
public final class ServiceRecordLayout {
    /** In units of 8 bytes. */
    public static final int RECORD_SIZE = 22;

    public static final NumberField SERVICE_ID = NumberField.at(56, 64);
    public static final GidField SERVICE_GID = GidField.at(64);
    public static final NumberField PKEY = NumberField.at(80, 16);
    public static final NumberField LEASE = NumberField.at(84, 32);
    public static final DataField NAME = DataField.at(104, 64);
    public static final DataField DATA = DataField.at(168, 64);

    /** Bits of the component mask. */
    public static final long HAS_ID = 1;

    public static final long HAS_GID = 1 << 1;
    public static final long HAS_NAME = 1 << 6;

    private ServiceRecordLayout() {}

    /** Writes a name of at most 64 bytes. */
    public static void setName(byte[] mad, String name) {
        NAME.set(mad, PrivateData.of(name));
    }

    /** The name up to its first zero; what is no UTF-8 is replaced. */
    public static String name(byte[] mad) {
        byte[] field = NAME.get(mad).bytes();
        int length = 0;
        while (length < field.length && field[length] != 0) {
            length++;
        }
        return new String(field, 0, length, StandardCharsets.UTF_8);
    }
}
