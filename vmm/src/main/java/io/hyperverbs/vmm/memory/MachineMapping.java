package io.hyperverbs.vmm.memory;

import io.hyperverbs.vmm.posix.Errno;
import io.hyperverbs.vmm.posix.Fd;
import io.hyperverbs.vmm.posix.MemoryMap;
import io.hyperverbs.vmm.posix.PosixException;
import java.lang.foreign.MemorySegment;

/**
 * The machine's memory in one segment: frame f is at byte f * 4096. Extents are mapped into a
 * reserved region and give way to private zeroes when they go, so a holder of the segment can
 * read and write all of it at any time. Callable from any thread.
 */
public final class MachineMapping {
    /** Address space asked for at first: 64 GiB. */
    public static final long DEFAULT_BYTES = 64L << 30;

    private static final long SMALLEST_BYTES = 1L << 30;

    private final MemorySegment memory;

    private MachineMapping(MemorySegment memory) {
        this.memory = memory;
    }

    /** Reserves exactly that much. */
    public static MachineMapping reserve(long sizeBytes) throws PosixException {
        return new MachineMapping(MemoryMap.reserve(sizeBytes));
    }

    /**
     * How much a process on this computer can reserve: {@link #DEFAULT_BYTES}, or the largest half,
     * quarter and so on that a limit on address space allows.
     */
    public static long reservableBytes() throws PosixException {
        for (long size = DEFAULT_BYTES; ; size /= 2) {
            try {
                MemoryMap.tryReserve(size);
                return size;
            } catch (PosixException e) {
                if (e.errno() != Errno.ENOMEM || size / 2 < SMALLEST_BYTES) {
                    throw e;
                }
            }
        }
    }

    public MemorySegment memory() {
        return memory;
    }

    /**
     * Lets an extent appear at its place.
     *
     * @throws PosixException ENOMEM if its frames lie beyond this mapping
     */
    public MappedExtent add(long firstMachineFrame, long frames, FrameKind kind, Fd memfd) throws PosixException {
        if (firstMachineFrame < 0
                || frames < 1
                || firstMachineFrame > lastFrame()
                || frames > lastFrame() - firstMachineFrame) {
            throw new PosixException(
                    "frames " + firstMachineFrame + " + " + frames + " of " + lastFrame(), Errno.ENOMEM);
        }
        long offset = firstMachineFrame * FrameTable.FRAME_BYTES;
        long size = frames * FrameTable.FRAME_BYTES;
        MemoryMap.mapOver(memory, offset, memfd, size);
        return new MappedExtent(firstMachineFrame, frames, kind, memory.asSlice(offset, size));
    }

    private long lastFrame() {
        return memory.byteSize() / FrameTable.FRAME_BYTES;
    }

    /** Turns an extent's place into zeroes of this process. */
    public void remove(MappedExtent extent) throws PosixException {
        MemoryMap.clearOver(
                memory,
                extent.firstMachineFrame() * FrameTable.FRAME_BYTES,
                extent.memory().byteSize());
    }
}
