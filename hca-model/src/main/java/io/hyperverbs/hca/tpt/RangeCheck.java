package io.hyperverbs.hca.tpt;

/** The only range check there is: in subtraction form, so that nothing wraps; all unsigned. */
public final class RangeCheck {
    private RangeCheck() {}

    /**
     * Whether {@code length} bytes at {@code address} lie within the {@code size} bytes at {@code
     * base}.
     */
    public static boolean isWithin(long base, long size, long address, long length) {
        return Long.compareUnsigned(length, size) <= 0 && Long.compareUnsigned(address - base, size - length) <= 0;
    }
}
