package io.hyperverbs.vmm.memory;

import io.hyperverbs.vmm.posix.Fd;
import java.util.BitSet;

/**
 * Consecutive machine frames of one owner and one memfd, as the frame table keeps them. Pins and
 * rings are the table's to read and write, under its lock.
 */
public final class Extent {
    private final long firstMachineFrame;
    private final int frames;
    private final int owner;
    private final FrameKind kind;
    private final Fd memfd;

    /** How often each frame is pinned. */
    final int[] pins;

    /** Frames of RAM that hold a ring: they are QUEUE, and have one pin. */
    final BitSet rings = new BitSet();

    long pinned;

    Extent(long firstMachineFrame, int frames, int owner, FrameKind kind, Fd memfd) {
        this.firstMachineFrame = firstMachineFrame;
        this.frames = frames;
        this.owner = owner;
        this.kind = kind;
        this.memfd = memfd;
        this.pins = new int[frames];
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

    long end() {
        return firstMachineFrame + frames;
    }
}
