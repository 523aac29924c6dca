package io.hyperverbs.vmm.memory;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.posix.Fd;
import io.hyperverbs.vmm.posix.Memfd;
import io.hyperverbs.vmm.posix.PosixException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The owner of each frame of the machine and its use: the only judge of ownership. What is pinned
 * of a domain's RAM its device domain says ({@link DomainPins}), in memory that this table sees.
 * Callable from any thread.
 *
 * <p>Frames come in extents, each a memfd of its own, so a frame that is taken again is new memory
 * and reads as zeroes. The lowest gap that is large enough is taken; frame 0 is nobody's, so that 0
 * can mean none.
 */
public final class FrameTable {
    public static final int FRAME_BYTES = FrameRun.FRAME_BYTES;

    /** Below it no frame is given out. */
    static final long FIRST_FRAME = 16;

    private final long machineFrames;
    private final TreeMap<Long, Extent> extents = new TreeMap<>();

    /**
     * @param machineFrames frame numbers stay below it
     */
    public FrameTable(long machineFrames) {
        this.machineFrames = machineFrames;
    }

    public long machineFrames() {
        return machineFrames;
    }

    /**
     * Takes new zeroed frames, consecutive and present in memory.
     *
     * @return null if the machine has no gap, or the computer no memory, of that size
     */
    public @Nullable Extent allocate(int owner, FrameKind kind, long frames) {
        if (frames < 1 || frames > Integer.MAX_VALUE / 2 || kind == FrameKind.FREE) {
            return null;
        }
        synchronized (this) {
            // Before any memory is taken; looked for once more below.
            if (gap(frames) < 0) {
                return null;
            }
        }
        Fd memfd = null;
        FramePins pins = null;
        boolean kept = false;
        try {
            // Outside the lock: clearing pages takes long. RAM is never granted read-only.
            memfd = Memfd.create("hv-" + kind, frames * FRAME_BYTES, kind != FrameKind.RAM);
            pins = kind == FrameKind.RAM ? FramePins.create((int) frames) : null;
            synchronized (this) {
                long first = gap(frames);
                if (first < 0) {
                    return null;
                }
                Extent extent = new Extent(first, (int) frames, owner, kind, memfd, pins);
                extents.put(first, extent);
                kept = true;
                return extent;
            }
        } catch (PosixException e) {
            return null;
        } finally {
            if (!kept) {
                close(memfd, pins);
            }
        }
    }

    private static void close(@Nullable Fd memfd, @Nullable FramePins pins) {
        if (memfd != null) {
            memfd.close();
        }
        if (pins != null) {
            pins.close();
        }
    }

    private long gap(long frames) {
        long candidate = FIRST_FRAME;
        for (Extent extent : extents.values()) {
            if (extent.firstMachineFrame() - candidate >= frames) {
                return candidate;
            }
            candidate = extent.end();
        }
        return machineFrames - candidate >= frames ? candidate : -1;
    }

    /** Frees an extent of {@code owner}: EBUSY while pinned, ENOENT if there is none. */
    public synchronized VerbsStatus free(int owner, long firstMachineFrame) {
        Extent extent = extents.get(firstMachineFrame);
        if (extent == null || extent.owner() != owner) {
            return VerbsStatus.ENOENT;
        }
        if (extent.pinned() != 0) {
            return VerbsStatus.EBUSY;
        }
        remove(extent);
        return VerbsStatus.SUCCESS;
    }

    /** Frees all that {@code owner} has, pinned or not: nothing is in flight any more. */
    public synchronized void freeAll(int owner) {
        for (Extent extent : List.copyOf(extents.values())) {
            if (extent.owner() == owner) {
                remove(extent);
            }
        }
    }

    private void remove(Extent extent) {
        extents.remove(extent.firstMachineFrame());
        close(extent.memfd(), extent.pins());
    }

    /** The extent that starts there and belongs to {@code owner}, or null. */
    public synchronized @Nullable Extent find(int owner, long firstMachineFrame) {
        Extent extent = extents.get(firstMachineFrame);
        return extent != null && extent.owner() == owner ? extent : null;
    }

    /** What {@code owner} has, by frame number. */
    public synchronized List<Extent> ownedBy(int owner) {
        return extents.values().stream()
                .filter(extent -> extent.owner() == owner)
                .toList();
    }

    /** Another descriptor of an extent's memory, for who asked; null if it was freed meanwhile. */
    public synchronized @Nullable Fd duplicateMemfd(Extent extent) throws PosixException {
        return extents.get(extent.firstMachineFrame()) == extent
                ? extent.memfd().duplicate()
                : null;
    }

    /**
     * Another descriptor of the pins of an extent of RAM, for {@link DomainPins} of its owner's device domain; null if
     * it was freed meanwhile.
     */
    public synchronized @Nullable Fd duplicatePins(Extent extent) throws PosixException {
        FramePins pins = extent.pins();
        return pins != null && extents.get(extent.firstMachineFrame()) == extent ? pins.duplicate() : null;
    }

    /** The owner of a frame; -1 if it is free. */
    public synchronized int ownerOf(long machineFrame) {
        Extent extent = at(machineFrame);
        return extent == null ? -1 : extent.owner();
    }

    public synchronized FrameKind kindOf(long machineFrame) {
        Extent extent = at(machineFrame);
        if (extent == null) {
            return FrameKind.FREE;
        }
        return pins(extent, machineFrame) == FramePins.RING ? FrameKind.QUEUE : extent.kind();
    }

    public synchronized int pinsOf(long machineFrame) {
        Extent extent = at(machineFrame);
        int pins = extent == null ? 0 : pins(extent, machineFrame);
        return pins == FramePins.RING ? 1 : pins;
    }

    private static int pins(Extent extent, long machineFrame) {
        FramePins pins = extent.pins();
        return pins == null ? 0 : pins.of((int) (machineFrame - extent.firstMachineFrame()));
    }

    /** Frames given out at the moment. */
    public synchronized long usedFrames() {
        return extents.values().stream().mapToLong(Extent::frames).sum();
    }

    /** Pins of all frames together. */
    public synchronized long pins() {
        return extents.values().stream().mapToLong(Extent::pinned).sum();
    }

    private @Nullable Extent at(long machineFrame) {
        Map.Entry<Long, Extent> entry = extents.floorEntry(machineFrame);
        return entry != null && machineFrame < entry.getValue().end() ? entry.getValue() : null;
    }
}
