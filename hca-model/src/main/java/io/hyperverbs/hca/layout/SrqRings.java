package io.hyperverbs.hca.layout;

import java.lang.foreign.MemorySegment;

/**
 * Moving a shared receive queue into other ring memory, while the HCA still takes receives from the
 * old: entries keep their free-running index. For the side that posts; stateless.
 */
public final class SrqRings {
    private SrqRings() {}

    /**
     * Copies the entries from {@code head} to {@code producer} and publishes both indexes in the
     * new memory. At most as many as the new ring has; strides are the same.
     */
    public static void copy(
            MemorySegment from,
            long ring,
            SrqGeometry geometry,
            MemorySegment to,
            long newRing,
            SrqGeometry newGeometry,
            int head,
            int producer) {
        for (int index = head; index != producer; index++) {
            MemorySegment.copy(
                    from, ring + geometry.slot(index), to, newRing + newGeometry.slot(index), geometry.strideBytes());
        }
        SrqRingLayout.headIndexRelease(to, newRing, head);
        SrqRingLayout.producerIndexRelease(to, newRing, producer);
    }
}
