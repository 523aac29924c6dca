package io.hyperverbs.hca.layout;

import java.lang.foreign.MemorySegment;

/**
 * Moving a completion queue into other ring memory: completions keep their free-running index, and
 * the HCA may be writing later ones into the new memory meanwhile. For the side that reads them;
 * stateless.
 */
public final class CompletionRings {
    private CompletionRings() {}

    /** Index after the last valid completion from {@code consumer} on. */
    public static int arrived(MemorySegment memory, long ring, int entries, int consumer) {
        int index = consumer;
        while (index - consumer < entries
                && CqeLayout.sequenceAcquire(memory, cqe(ring, entries, index)) == index + 1) {
            index++;
        }
        return index;
    }

    /** Copies the valid completions from {@code consumer} on; no more than fit. */
    public static void copy(
            MemorySegment from, long ring, int entries, MemorySegment to, long newRing, int newEntries, int consumer) {
        int end = arrived(from, ring, Math.min(entries, newEntries), entries, consumer);
        for (int index = consumer; index != end; index++) {
            MemorySegment.copy(
                    from, cqe(ring, entries, index), to, cqe(newRing, newEntries, index), CqeLayout.SIZE_BYTES);
        }
    }

    private static int arrived(MemorySegment memory, long ring, int max, int entries, int consumer) {
        int end = arrived(memory, ring, entries, consumer);
        return end - consumer > max ? consumer + max : end;
    }

    private static long cqe(long ring, int entries, int index) {
        return ring + CqHeaderLayout.SIZE_BYTES + (index & (entries - 1)) * CqeLayout.SIZE_BYTES;
    }
}
