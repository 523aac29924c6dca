package io.hyperverbs.backend.mad;

import io.hyperverbs.verbs.PrivateData;
import java.util.Arrays;

/** Bytes in a management datagram, which says of them no length: they fill their field. Immutable; any thread. */
public final class DataField {
    private final int offset;
    private final int length;

    private DataField(int offset, int length) {
        this.offset = offset;
        this.length = length;
    }

    static DataField at(int offset, int length) {
        return new DataField(offset, length);
    }

    /** How many bytes it has. */
    public int length() {
        return length;
    }

    /** All bytes of the field. */
    public PrivateData get(byte[] mad) {
        return get(mad, 0);
    }

    /** The bytes of the field behind so many others. */
    public PrivateData get(byte[] mad, int from) {
        return PrivateData.of(Arrays.copyOfRange(mad, offset + from, offset + length));
    }

    /** Writes the bytes, and zeroes behind them; what the field has no room for is not written. */
    public void set(byte[] mad, PrivateData data) {
        set(mad, 0, data);
    }

    /** The same behind so many bytes of the field, which are left alone. */
    public void set(byte[] mad, int from, PrivateData data) {
        int room = length - from;
        System.arraycopy(data.bytes(), 0, mad, offset + from, Math.min(room, data.length()));
        if (data.length() < room) {
            Arrays.fill(mad, offset + from + data.length(), offset + length, (byte) 0);
        }
    }
}
