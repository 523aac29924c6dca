package io.hyperverbs.frontend.cache;

import io.hyperverbs.verbs.RegistrationCache.Statistics;

/** What one cache did, or all of a domain. {@link CachedRegions} guards it. */
final class CacheCounts {
    long hits;
    long misses;
    long evictions;
    private int regions;
    private long bytes;

    void added(CachedRegion region) {
        regions++;
        bytes += region.lengthBytes();
    }

    void removed(CachedRegion region) {
        regions--;
        bytes -= region.lengthBytes();
    }

    Statistics now() {
        return new Statistics(hits, misses, evictions, regions, bytes);
    }
}
