package io.hyperverbs.upper.mpi.data;

/** Types of a buffer's elements, as Java has them. */
public enum ElementType {
    BYTE(byte.class, Byte.BYTES),
    CHAR(char.class, Character.BYTES),
    SHORT(short.class, Short.BYTES),
    INT(int.class, Integer.BYTES),
    LONG(long.class, Long.BYTES),
    FLOAT(float.class, Float.BYTES),
    DOUBLE(double.class, Double.BYTES);

    private final Class<?> type;
    private final int bytes;

    ElementType(Class<?> type, int bytes) {
        this.type = type;
        this.bytes = bytes;
    }

    /** Bytes of an element. */
    public int bytes() {
        return bytes;
    }

    Class<?> type() {
        return type;
    }
}
