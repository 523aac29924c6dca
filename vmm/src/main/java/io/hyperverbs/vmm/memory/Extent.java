package io.hyperverbs.vmm.memory;

import io.hyperverbs.vmm.posix.Fd;
import org.jspecify.annotations.Nullable;

/** Consecutive machine frames of one owner and one memfd, as the frame table keeps them. */
public final class Extent {
    private final long firstMachineFrame;
    private final int frames;
    private final int owner;
    private final FrameKind kind;
    private final Fd memfd;
    private final @Nullable FramePins pins;

    /** {@code pins} is there for RAM. */
    Extent(long firstMachineFrame, int frames, int owner, FrameKind kind, Fd memfd, @Nullable FramePins pins) {
        this.firstMachineFrame = firstMachineFrame;
        this.frames = frames;
        this.owner = owner;
        this.kind = kind;
        this.memfd = memfd;
        this.pins = pins;
    }

    public long firstMachineFrame() {
        return firstMachineFrame;
    }

    public int frames() {
        return frames;
    }

    public int owner() {
        return owner;
    }

    /** What it was made for; a frame of it may be QUEUE meanwhile. */
    public FrameKind kind() {
        return kind;
    }

    /** The memory itself; closed when the extent is freed. */
    public Fd memfd() {
        return memfd;
    }

    public long lengthBytes() {
        return (long) frames * FrameTable.FRAME_BYTES;
    }

    /** To be looked at under the table's lock, as they go with the extent. */
    @Nullable
    FramePins pins() {
        return pins;
    }

    /** Pins of all its frames together. */
    long pinned() {
        return pins == null ? 0 : pins.all();
    }

    long end() {
        return firstMachineFrame + frames;
    }
}
