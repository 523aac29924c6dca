package io.hyperverbs.vmm.memory;

import io.hyperverbs.verbs.VerbsStatus;

/** What pinning and unpinning do to frames of RAM. */
enum PinChange {
    PIN(1, false),
    UNPIN(-1, false),
    RING(1, true),
    UNRING(-1, true);

    private final int step;
    private final boolean ring;

    PinChange(int step, boolean ring) {
        this.step = step;
        this.ring = ring;
    }

    PinChange inverse() {
        return switch (this) {
            case PIN -> UNPIN;
            case UNPIN -> PIN;
            case RING -> UNRING;
            case UNRING -> RING;
        };
    }

    /**
     * Changes all of these frames or none. Others wait for the table meanwhile, so it goes over
     * their counts in a plain loop, and over their rings a word at a time.
     */
    VerbsStatus apply(Extent extent, int first, int count) {
        int end = first + count;
        VerbsStatus status = step > 0 ? mayPin(extent, first, end) : mayUnpin(extent, first, end);
        if (status == VerbsStatus.SUCCESS) {
            for (int i = first; i < end; i++) {
                extent.pins[i] += step;
            }
            extent.pinned += (long) step * count;
            extent.rings.set(first, end, ring && step > 0);
        }
        return status;
    }

    private VerbsStatus mayPin(Extent extent, int first, int end) {
        if (hasRing(extent, first, end)) {
            // A frame with a ring is QUEUE, not RAM: neither a region nor a second ring may have
            // it.
            return ring ? VerbsStatus.EBUSY : VerbsStatus.EFAULT;
        }
        int most = 0;
        for (int i = first; i < end; i++) {
            most = Math.max(most, extent.pins[i]);
        }
        if (ring && most > 0) {
            return VerbsStatus.EBUSY;
        }
        return most == Integer.MAX_VALUE ? VerbsStatus.EAGAIN : VerbsStatus.SUCCESS;
    }

    private VerbsStatus mayUnpin(Extent extent, int first, int end) {
        boolean asPinned = ring
                ? extent.rings.nextClearBit(first) >= end
                : !hasRing(extent, first, end) && allPinned(extent, first, end);
        return asPinned ? VerbsStatus.SUCCESS : VerbsStatus.EINVAL;
    }

    private static boolean hasRing(Extent extent, int first, int end) {
        int next = extent.rings.nextSetBit(first);
        return next >= 0 && next < end;
    }

    private static boolean allPinned(Extent extent, int first, int end) {
        for (int i = first; i < end; i++) {
            if (extent.pins[i] == 0) {
                return false;
            }
        }
        return true;
    }
}
