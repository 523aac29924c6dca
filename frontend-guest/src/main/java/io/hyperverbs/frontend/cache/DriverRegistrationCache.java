package io.hyperverbs.frontend.cache;

import io.hyperverbs.frontend.tree.VerbsNode;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.RegistrationCache;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/** The registrations that one cache of a PD has. Any thread. */
public final class DriverRegistrationCache extends VerbsNode implements RegistrationCache {
    private final VerbsNode pd;
    private final Registrar registrar;
    private final CachedRegions regions;
    private final RegionIndex index = new RegionIndex();

    private DriverRegistrationCache(VerbsNode pd, Registrar registrar, CachedRegions regions) {
        this.pd = pd;
        this.registrar = registrar;
        this.regions = regions;
    }

    /** Registers memory in the cache's PD. */
    @FunctionalInterface
    public interface Registrar {
        MemoryRegion register(MemorySegment buffer, Set<Access> access) throws VerbsException;
    }

    /**
     * An empty cache.
     *
     * @param regions those of the domain
     */
    public static DriverRegistrationCache create(VerbsNode pd, Registrar registrar, CachedRegions regions)
            throws VerbsException {
        DriverRegistrationCache cache = new DriverRegistrationCache(pd, registrar, regions);
        cache.dependOn(pd);
        return cache;
    }

    @Override
    public Lease acquire(MemorySegment buffer, Set<Access> access) throws VerbsException {
        requireOpen();
        int rights = Access.mask(access);
        if ((rights & Access.ZERO_BASED.bit()) != 0) {
            throw new VerbsException(
                    VerbsStatus.EINVAL, "a cached registration has the addresses of its memory, not ZERO_BASED ones");
        }
        CachedRegion region = regions.take(index, buffer, rights);
        if (region == null) {
            // Two threads may both do so for the same memory: then there are two, and both serve.
            region = regions.add(index, registrar.register(buffer, access), rights);
        }
        boolean leased = false;
        try {
            DriverLease lease = new DriverLease(this, region, buffer);
            leased = true;
            return lease;
        } finally {
            if (!leased) {
                regions.giveBack(region);
                // The cache was closed meanwhile, and deregistered what had no user then.
                regions.trim(index);
            }
        }
    }

    @Override
    public void trim() throws VerbsException {
        regions.trim(index);
    }

    @Override
    public Statistics statistics() {
        return regions.statistics(index);
    }

    @Override
    public String describe() {
        return "registration cache of " + pd.describe();
    }

    @Override
    protected void destroy() throws VerbsException {
        regions.trim(index);
        regions.report();
    }

    /** A use, which ends before its cache does. */
    private static final class DriverLease extends VerbsNode implements Lease {
        private final DriverRegistrationCache cache;
        private final CachedRegion region;
        private final MemorySegment buffer;

        DriverLease(DriverRegistrationCache cache, CachedRegion region, MemorySegment buffer) throws VerbsException {
            this.cache = cache;
            this.region = region;
            this.buffer = buffer;
            dependOn(cache);
        }

        @Override
        public MemorySegment buffer() {
            return buffer;
        }

        @Override
        public long address() {
            return buffer.address();
        }

        @Override
        public int lkey() {
            return region.region.lkey();
        }

        @Override
        public int rkey() {
            return region.region.rkey();
        }

        @Override
        public String describe() {
            return "lease of " + region.region.describe();
        }

        @Override
        protected void destroy() {
            cache.regions.giveBack(region);
        }
    }
}
