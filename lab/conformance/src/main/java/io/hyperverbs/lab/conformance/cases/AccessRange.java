package io.hyperverbs.lab.conformance.cases;

/** Where an attempt is aimed, relative to what its key covers. */
enum AccessRange {
    FIRST,
    LAST,
    PAST_END,
    BEFORE_START,
    FAR_AWAY,
    WRAPS_2_64;

    /** Address of {@code length} bytes aimed at {@code size} bytes from {@code base}. */
    long address(long base, long size, int length) {
        // All steps are multiples of 8, so that the alignment of atomics is not the matter.
        return switch (this) {
            case FIRST -> base;
            case LAST -> base + size - length;
            case PAST_END -> base + size - length + 8;
            case BEFORE_START -> base - 8;
            case FAR_AWAY -> base + Long.MIN_VALUE;
            case WRAPS_2_64 -> -8;
        };
    }
}
