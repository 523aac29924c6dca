package io.hyperverbs.backend.session;

import io.hyperverbs.vmm.io.FrameRun;
import java.util.List;

/**
 * A memory region, or a DMA key, which is one without pinned frames. Changes under its session's
 * lock alone.
 */
public final class RegionObject extends SessionObject {
    /**
     * What it is at the moment.
     *
     * @param virtualAddress as the program gave it, zero-based or not
     * @param lengthBytes that count as registered
     * @param runs pinned while it lives; a DMA key has none
     */
    public record Registration(PdObject pd, long virtualAddress, long lengthBytes, int access, List<FrameRun> runs) {}

    private final int number;
    private Registration registration;

    public RegionObject(int number, Registration registration) {
        this.number = number;
        this.registration = registration;
    }

    public int number() {
        return number;
    }

    public Registration registration() {
        return registration;
    }

    /** It was re-registered. */
    public void registration(Registration changed) {
        registration = changed;
    }

    public boolean isDmaKey() {
        return registration.runs.isEmpty();
    }
}
