package io.hyperverbs.frontend.cache;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The registrations of one cache by address. {@link CachedRegions} guards it. */
final class RegionIndex {
    private final TreeMap<Long, List<CachedRegion>> byStart = new TreeMap<>();
    final CacheCounts counts = new CacheCounts();
    // Of those that ever were: how far before an address one that reaches it can begin.
    private long longestBytes;

    /** One that covers it with those rights; null if there is none. */
    @Nullable
    CachedRegion find(long from, long to, int access) {
        for (var entry : byStart.headMap(from, true).descendingMap().entrySet()) {
            if (to - entry.getKey() > longestBytes) {
                return null;
            }
            for (CachedRegion region : entry.getValue()) {
                if (region.serves(from, to, access)) {
                    return region;
                }
            }
        }
        return null;
    }

    void add(CachedRegion region) {
        byStart.computeIfAbsent(region.start, _ -> new ArrayList<>(1)).add(region);
        longestBytes = Math.max(longestBytes, region.lengthBytes());
    }

    void remove(CachedRegion region) {
        byStart.computeIfPresent(region.start, (_, there) -> {
            there.remove(region);
            return there.isEmpty() ? null : there;
        });
    }
}
