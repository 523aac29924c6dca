package io.hyperverbs.backend.session;

import io.hyperverbs.vmm.io.FrameRun;

import java.util.List;

/** A memory region; its frames are pinned while it lives. */
public final class RegionObject extends SessionObject {
    private final PdObject pd;
    private final int number;
    private final long lengthBytes;
    private final List<FrameRun> runs;

    public RegionObject(PdObject pd, int number, long lengthBytes, List<FrameRun> runs) {
        this.pd = pd;
        this.number = number;
        this.lengthBytes = lengthBytes;
        this.runs = runs;
    }

    public PdObject pd() {
        return pd;
    }

    public int number() {
        return number;
    }

    public long lengthBytes() {
        return lengthBytes;
    }

    public List<FrameRun> runs() {
        return runs;
    }
}
