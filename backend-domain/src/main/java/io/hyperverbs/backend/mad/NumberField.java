package io.hyperverbs.backend.mad;

/** A number in a management datagram: big-endian, the most significant bit first. Immutable; any thread. */
public final class NumberField {
    private final int first;
    private final int last;
    private final int shift;
    private final long mask;

    private NumberField(int offset, int bit, int width) {
        int end = bit + width;
        first = offset;
        last = offset + (end - 1) / Byte.SIZE;
        shift = (last - first + 1) * Byte.SIZE - end;
        mask = -1L >>> (Long.SIZE - width);
    }

    /** Whole bytes: so many bits, 8 to 64, from that byte of the datagram on. */
    static NumberField at(int offset, int width) {
        return new NumberField(offset, 0, width);
    }

    /** So many bits, behind the {@code bit} most significant ones of a byte. */
    static NumberField bits(int offset, int bit, int width) {
        return new NumberField(offset, bit, width);
    }

    /** Its number, not negative unless it has 64 bits. */
    public long get(byte[] mad) {
        long bytes = 0;
        for (int i = first; i <= last; i++) {
            bytes = bytes << Byte.SIZE | (mad[i] & 0xff);
        }
        return bytes >>> shift & mask;
    }

    /** The number of a field of at most 32 bits. */
    public int getInt(byte[] mad) {
        return (int) get(mad);
    }

    /** Writes the number's lower bits, as many as the field has, and nothing beside them. */
    public void set(byte[] mad, long number) {
        long bytes = (number & mask) << shift;
        long cleared = ~(mask << shift);
        for (int i = last; i >= first; i--) {
            mad[i] = (byte) ((mad[i] & cleared) | bytes);
            bytes >>>= Byte.SIZE;
            cleared >>= Byte.SIZE;
        }
    }
}
