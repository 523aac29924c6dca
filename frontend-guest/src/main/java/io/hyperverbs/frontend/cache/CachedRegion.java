package io.hyperverbs.frontend.cache;

import io.hyperverbs.verbs.MemoryRegion;
import java.lang.foreign.MemorySegment;

/** A registration in a cache. {@link CachedRegions} guards what changes. */
final class CachedRegion {
    final RegionIndex index;
    final MemoryRegion region;
    final long start;
    final long end;
    final int access;

    int users = 1;

    CachedRegion(RegionIndex index, MemoryRegion region, int access) {
        MemorySegment buffer = region.buffer();
        this.index = index;
        this.region = region;
        this.start = buffer.address();
        this.end = start + buffer.byteSize();
        this.access = access;
    }

    long lengthBytes() {
        return end - start;
    }

    boolean serves(long from, long to, int rights) {
        return start <= from && to <= end && (access & rights) == rights;
    }

    boolean touches(long from, long to) {
        return start < to && from < end;
    }
}
