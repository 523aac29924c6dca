package io.hyperverbs.vmm.memory;

import io.hyperverbs.verbs.VerbsStatus;

/** What pinning and unpinning do to one frame of RAM. */
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

    /** Changes the frame, or nothing at all. */
    VerbsStatus apply(Extent extent, int frame) {
        boolean isRing = extent.rings.get(frame);
        int pins = extent.pins[frame];
        VerbsStatus status = step > 0 ? mayPin(isRing, pins) : mayUnpin(isRing, pins);
        if (status == VerbsStatus.SUCCESS) {
            extent.pins[frame] += step;
            extent.pinned += step;
            extent.rings.set(frame, ring && step > 0);
        }
        return status;
    }

    private VerbsStatus mayPin(boolean isRing, int pins) {
        if (isRing) {
            // A frame with a ring is QUEUE, not RAM: neither a region nor a second ring may have
            // it.
            return ring ? VerbsStatus.EBUSY : VerbsStatus.EFAULT;
        }
        if (ring && pins > 0) {
            return VerbsStatus.EBUSY;
        }
        return pins == Integer.MAX_VALUE ? VerbsStatus.EAGAIN : VerbsStatus.SUCCESS;
    }

    private VerbsStatus mayUnpin(boolean isRing, int pins) {
        return isRing == ring && pins > 0 ? VerbsStatus.SUCCESS : VerbsStatus.EINVAL;
    }
}
