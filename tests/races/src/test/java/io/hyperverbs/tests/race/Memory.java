package io.hyperverbs.tests.race;

import java.lang.foreign.MemorySegment;

/** Memory of a race: on the heap, for a race has millions of states; long-aligned. */
final class Memory {
    private Memory() {}

    static MemorySegment of(long bytes) {
        return MemorySegment.ofArray(new long[(int) (bytes + 7) / 8]);
    }
}
