package io.hyperverbs.frontend.cache;

import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.RegistrationCache.Statistics;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What is cached in one domain, of all its PDs: quotas and memory are the domain's. Any thread; the
 * device domain is not called under its lock. A registration that is to end is taken out first, so
 * that nobody finds it any more.
 */
public final class CachedRegions {
    private final CacheReport report;
    private final LinkedHashSet<CachedRegion> longestIdleFirst = new LinkedHashSet<>();
    private final CacheCounts counts = new CacheCounts();

    /**
     * @param report told of each change
     */
    public CachedRegions(CacheReport report) {
        this.report = report;
    }

    /** A registration that serves, with one user more; null if there is none. */
    @Nullable
    CachedRegion take(RegionIndex index, MemorySegment buffer, int access) {
        CachedRegion found;
        synchronized (this) {
            found = index.find(buffer.address(), buffer.address() + buffer.byteSize(), access);
            if (found == null) {
                return null;
            }
            if (found.users++ == 0) {
                longestIdleFirst.remove(found);
            }
            index.counts.hits++;
            counts.hits++;
        }
        report.used(this);
        return found;
    }

    /** A new registration with its first user. */
    CachedRegion add(RegionIndex index, MemoryRegion region, int access) {
        CachedRegion added = new CachedRegion(index, region, access);
        synchronized (this) {
            putIn(added);
            index.counts.misses++;
            counts.misses++;
        }
        report.changed(this);
        return added;
    }

    /** A user less. */
    synchronized void giveBack(CachedRegion region) {
        if (--region.users == 0) {
            longestIdleFirst.add(region);
        }
    }

    /** A verb that counts to the quotas of regions. */
    @FunctionalInterface
    public interface Registration<R> {
        R call() throws VerbsException;
    }

    /**
     * Carries out a verb; for one that a quota does not allow, or for which the HCA has no room,
     * registrations without a user end until it is or there are none.
     *
     * @throws VerbsException what the verb was refused with
     */
    public <R> R makingRoom(Registration<R> verb) throws VerbsException {
        while (true) {
            try {
                return verb.call();
            } catch (VerbsException e) {
                boolean isShort = e.status() == VerbsStatus.EAGAIN || e.status() == VerbsStatus.ENOMEM;
                if (!isShort || !evictOldest()) {
                    throw e;
                }
            }
        }
    }

    /** Deregisters the one that was unused longest; false if there is none, or it cannot be deregistered. */
    private boolean evictOldest() {
        CachedRegion oldest;
        synchronized (this) {
            if (longestIdleFirst.isEmpty()) {
                return false;
            }
            oldest = longestIdleFirst.getFirst();
            takeOut(oldest);
        }
        try {
            deregister(oldest);
        } catch (VerbsException e) {
            return false;
        }
        synchronized (this) {
            oldest.index.counts.evictions++;
            counts.evictions++;
        }
        return true;
    }

    /** Its memory is about to be freed: deregisters what covers any of it and has no user. */
    public void forget(MemorySegment buffer) {
        long from = buffer.address();
        try {
            end(region -> region.touches(from, from + buffer.byteSize()));
        } catch (VerbsException e) {
            // It is still registered, so the memory is not freed.
        }
    }

    /**
     * Deregisters what has no user.
     *
     * @throws VerbsException of the first that cannot be; the others are
     */
    void trim(RegionIndex index) throws VerbsException {
        end(region -> region.index == index);
    }

    private void end(Predicate<CachedRegion> which) throws VerbsException {
        List<CachedRegion> ending;
        synchronized (this) {
            ending = longestIdleFirst.stream().filter(which).toList();
            ending.forEach(this::takeOut);
        }
        VerbsException first = null;
        for (CachedRegion region : ending) {
            try {
                deregister(region);
            } catch (VerbsException e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }

    private void deregister(CachedRegion region) throws VerbsException {
        try {
            region.region.close();
        } catch (VerbsException e) {
            synchronized (this) {
                putIn(region);
                longestIdleFirst.add(region);
            }
            throw e;
        } finally {
            report.changed(this);
        }
    }

    private void putIn(CachedRegion region) {
        region.index.add(region);
        region.index.counts.added(region);
        counts.added(region);
    }

    private void takeOut(CachedRegion region) {
        longestIdleFirst.remove(region);
        region.index.remove(region);
        region.index.counts.removed(region);
        counts.removed(region);
    }

    /** Writes down what was done up to now. */
    void report() {
        report.write(this);
    }

    synchronized Statistics statistics(RegionIndex index) {
        return index.counts.now();
    }

    /** Of all caches of the domain. */
    synchronized Statistics statistics() {
        return counts.now();
    }
}
