package io.hyperverbs.frontend.cache;

import io.hyperverbs.verbs.RegistrationCache.Statistics;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Writes down for {@code hv inspect} what the caches of a domain did, on the thread of who uses
 * them, and at most once in a second: that is a hypercall. What a second brought is written with
 * the first use after it. Any thread.
 */
public final class CacheReport {
    /** Key of the store below {@code domain/NAME/}. */
    public static final String KEY = "registration-cache";

    private static final long INTERVAL_NANOS = 1_000_000_000;

    /** A use takes a tenth of a microsecond, and so would each look at the clock. */
    private static final int USES_FOR_A_LOOK = 256;

    private final Consumer<String> writer;
    private final LongSupplier nanoTime;
    private final AtomicLong uses = new AtomicLong();
    private final AtomicLong dueNanos;

    /**
     * @param writer of a value; must not throw
     */
    public CacheReport(Consumer<String> writer, LongSupplier nanoTime) {
        this.writer = writer;
        this.nanoTime = nanoTime;
        this.dueNanos = new AtomicLong(nanoTime.getAsLong());
    }

    /** A registration was used again. */
    void used(CachedRegions regions) {
        if (uses.incrementAndGet() % USES_FOR_A_LOOK == 0) {
            changed(regions);
        }
    }

    /** A registration began or ended. */
    void changed(CachedRegions regions) {
        long due = dueNanos.get();
        long now = nanoTime.getAsLong();
        if (now - due >= 0 && dueNanos.compareAndSet(due, now + INTERVAL_NANOS)) {
            write(regions);
        }
    }

    /** A cache ends: writes at once. */
    public void write(CachedRegions regions) {
        Statistics now = regions.statistics();
        writer.accept("hits " + now.hits() + " misses " + now.misses() + " evictions " + now.evictions() + " regions "
                + now.regions() + " bytes " + now.bytes());
    }
}
