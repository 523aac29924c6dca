package io.hyperverbs.vmm.memory;

import io.hyperverbs.verbs.VerbsStatus;
import java.util.Arrays;

/** What pinning and unpinning do to frames of RAM. */
enum PinChange {
    PIN(1),
    UNPIN(-1),
    RING(1),
    UNRING(-1);

    private final int step;

    PinChange(int step) {
        this.step = step;
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
     * Changes all of these frames or none. Loops are over an array, which takes 16384 frames in a few us: over the
     * memory itself they took 140 to 450.
     */
    VerbsStatus apply(FramePins pins, int first, int count) {
        int[] counts = pins.read(first, count);
        VerbsStatus status = judge(counts);
        if (status == VerbsStatus.SUCCESS) {
            change(counts);
            pins.write(first, counts);
            pins.addToAll((long) step * count);
        }
        return status;
    }

    private VerbsStatus judge(int[] counts) {
        int least = Integer.MAX_VALUE;
        int most = FramePins.RING;
        for (int count : counts) {
            least = Math.min(least, count);
            most = Math.max(most, count);
        }
        return switch (this) {
            // A frame with a ring is QUEUE, not RAM: neither a region nor a second ring may have it.
            case PIN ->
                least == FramePins.RING
                        ? VerbsStatus.EFAULT
                        : most == Integer.MAX_VALUE ? VerbsStatus.EAGAIN : VerbsStatus.SUCCESS;
            case RING -> least == 0 && most == 0 ? VerbsStatus.SUCCESS : VerbsStatus.EBUSY;
            case UNPIN -> least > 0 ? VerbsStatus.SUCCESS : VerbsStatus.EINVAL;
            case UNRING -> most == FramePins.RING ? VerbsStatus.SUCCESS : VerbsStatus.EINVAL;
        };
    }

    private void change(int[] counts) {
        switch (this) {
            case PIN, UNPIN -> {
                for (int i = 0; i < counts.length; i++) {
                    counts[i] += step;
                }
            }
            case RING -> Arrays.fill(counts, FramePins.RING);
            case UNRING -> Arrays.fill(counts, 0);
        }
    }
}
