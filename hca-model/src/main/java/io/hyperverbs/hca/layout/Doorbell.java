package io.hyperverbs.hca.layout;

import java.lang.foreign.MemorySegment;

/**
 * The driver's end of a UAR page: rings slots, and wakes the HCA if it sleeps. Any thread; a lost
 * race over the wake-up costs one spare eventfd write.
 */
public final class Doorbell {
    private final MemorySegment uar;
    private final long page;
    private final MemorySegment status;
    private final long statusPage;
    private final Runnable wake;
    private int wokenFor;

    /**
     * @param uar holds the UAR page at {@code page}
     * @param status holds the status page at {@code statusPage}
     * @param wake writes the domain's doorbell eventfd
     */
    public Doorbell(MemorySegment uar, long page, MemorySegment status, long statusPage, Runnable wake) {
        this.uar = uar;
        this.page = page;
        this.status = status;
        this.statusPage = statusPage;
        this.wake = wake;
    }

    /** Rings {@code slot}; the index word it announces has been stored before. */
    public void ring(int slot) {
        UarLayout.ring(uar, page, slot);
        int armNumber = StatusPageLayout.armNumberVolatile(status, statusPage);
        if (armNumber != wokenFor) {
            wokenFor = armNumber;
            wake.run();
        }
    }
}
