package io.hyperverbs.frontend.memory;

import static io.hyperverbs.vmm.io.FrameRun.FRAME_BYTES;

import io.hyperverbs.verbs.DomainMemory;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.memory.MappedExtent;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The domain's RAM: hands out buffers and says which machine frames they lie in. Buffers are slices
 * of the mapped extents, zeroed, and contiguous in the machine. Any thread.
 */
public final class GuestRam implements DomainMemory {
    private record Extent(MappedExtent mapped, FreeFrames free, long physicalAddress) {
        long address() {
            return mapped.memory().address();
        }
    }

    /** What was allocated, and how many regions cover any of it. */
    private static final class Buffer {
        final long lengthBytes;
        final boolean block;
        /** Of the thread that allocated it; null for a ring, which ends with its queue. */
        final @Nullable ThreadGroup owner;

        int regions;

        Buffer(long lengthBytes, boolean block, @Nullable ThreadGroup owner) {
            this.lengthBytes = lengthBytes;
            this.block = block;
            this.owner = owner;
        }
    }

    private final TreeMap<Long, Extent> extents = new TreeMap<>();
    private final SmallBlocks small = new SmallBlocks();
    private final TreeMap<Long, Buffer> live = new TreeMap<>();
    private final long capacityBytes;
    private volatile Consumer<MemorySegment> beforeFree = _ -> {};

    /**
     * @param ram extents mapped at page boundaries
     */
    public GuestRam(List<MappedExtent> ram) {
        long sum = 0;
        for (MappedExtent extent : ram) {
            long address = extent.memory().address();
            if (address % FRAME_BYTES != 0 || extent.memory().byteSize() != extent.frames() * FRAME_BYTES) {
                throw new IllegalArgumentException("extent of "
                        + extent.frames()
                        + " frames mapped at 0x"
                        + Long.toHexString(address)
                        + " with "
                        + extent.memory().byteSize()
                        + " bytes");
            }
            extents.put(address, new Extent(extent, new FreeFrames(extent.frames()), sum));
            sum += extent.memory().byteSize();
        }
        this.capacityBytes = sum;
    }

    @Override
    public MemorySegment allocate(long lengthBytes, long alignmentBytes) throws VerbsException {
        return take(lengthBytes, alignmentBytes, Thread.currentThread().getThreadGroup());
    }

    private synchronized MemorySegment take(long lengthBytes, long alignmentBytes, @Nullable ThreadGroup owner)
            throws VerbsException {
        if (lengthBytes < 1) {
            throw new VerbsException(VerbsStatus.EINVAL, "length " + lengthBytes + ", must be at least 1");
        }
        if (Long.bitCount(alignmentBytes) != 1 || alignmentBytes < 1 || alignmentBytes > FRAME_BYTES) {
            throw new VerbsException(
                    VerbsStatus.EINVAL,
                    "alignment " + alignmentBytes + ", must be a power of two up to " + FRAME_BYTES);
        }
        boolean block = Math.max(lengthBytes, alignmentBytes) <= SmallBlocks.LARGEST_BYTES;
        long address = block
                ? takeBlock(SmallBlocks.blockBytes(lengthBytes, alignmentBytes))
                : takeFrames(framesFor(lengthBytes));
        if (address < 0) {
            throw new VerbsException(
                    VerbsStatus.ENOMEM,
                    "no " + lengthBytes + " bytes in one piece, " + freeBytes() + " of " + capacityBytes + " free");
        }
        live.put(address, new Buffer(lengthBytes, block, owner));
        return slice(address, lengthBytes).fill((byte) 0);
    }

    /** Whole frames that hold nothing else, as rings need them. */
    public MemorySegment allocateFrames(long lengthBytes) throws VerbsException {
        if (lengthBytes < 1 || lengthBytes > capacityBytes) {
            throw new VerbsException(VerbsStatus.ENOMEM, lengthBytes + " bytes, of " + capacityBytes);
        }
        return take(framesFor(lengthBytes) * FRAME_BYTES, FRAME_BYTES, null);
    }

    /** What is done with a buffer before it is freed; without the lock that guards buffers. */
    public void beforeFree(Consumer<MemorySegment> action) {
        beforeFree = action;
    }

    @Override
    public void free(MemorySegment buffer) throws VerbsException {
        if (buffer.isNative()) {
            beforeFree.accept(buffer);
        }
        giveBack(buffer);
    }

    /** Frees what threads of {@code program} allocated and did not free, but for what a region still covers. */
    public void freeOf(ThreadGroup program) {
        for (MemorySegment buffer : leftBy(program)) {
            try {
                free(buffer);
            } catch (VerbsException e) {
                // A region that could not be closed is the session's to end, and its buffer with it.
            }
        }
    }

    private synchronized List<MemorySegment> leftBy(ThreadGroup program) {
        List<MemorySegment> left = new ArrayList<>();
        live.forEach((address, buffer) -> {
            if (buffer.owner != null && program.parentOf(buffer.owner)) {
                left.add(slice(address, buffer.lengthBytes));
            }
        });
        return left;
    }

    private synchronized void giveBack(MemorySegment buffer) throws VerbsException {
        Buffer known = buffer.isNative() ? live.get(buffer.address()) : null;
        if (known == null || known.lengthBytes != buffer.byteSize()) {
            throw new IllegalArgumentException("not an allocated buffer of this domain, or freed before: " + buffer);
        }
        if (known.regions > 0) {
            throw new VerbsException(VerbsStatus.EBUSY, "buffer with " + known.regions + " registered regions");
        }
        live.remove(buffer.address());
        if (known.block) {
            long emptyFrame = small.give(buffer.address());
            if (emptyFrame >= 0) {
                giveFrames(emptyFrame, 1);
            }
        } else {
            giveFrames(buffer.address(), framesFor(known.lengthBytes));
        }
    }

    /**
     * A region covers that memory: buffers that it touches cannot be freed until the hold is given
     * up. Closing twice does nothing.
     */
    public synchronized Hold hold(MemorySegment memory) {
        List<Buffer> held = new ArrayList<>();
        if (memory.isNative() && memory.byteSize() > 0) {
            long end = memory.address() + memory.byteSize();
            Map.Entry<Long, Buffer> before = live.lowerEntry(memory.address());
            if (before != null && before.getKey() + before.getValue().lengthBytes > memory.address()) {
                held.add(before.getValue());
            }
            held.addAll(live.subMap(memory.address(), end).values());
        }
        held.forEach(buffer -> buffer.regions++);
        return new Hold(held);
    }

    /** Keeps the buffers of one region from being freed. */
    public final class Hold implements AutoCloseable {
        private List<Buffer> buffers;

        private Hold(List<Buffer> buffers) {
            this.buffers = buffers;
        }

        @Override
        public void close() {
            synchronized (GuestRam.this) {
                buffers.forEach(buffer -> buffer.regions--);
                buffers = List.of();
            }
        }
    }

    @Override
    public long capacityBytes() {
        return capacityBytes;
    }

    /** Bytes in frames that hold no buffer at all. */
    public synchronized long freeBytes() {
        long frames = 0;
        for (Extent extent : extents.values()) {
            frames += extent.free.freeFrames();
        }
        return frames * FRAME_BYTES;
    }

    /**
     * The machine frames that {@code buffer} lies in, from the one that holds its first byte.
     *
     * @throws VerbsException EFAULT if it is not RAM of this domain; EINVAL if it is empty
     */
    public List<FrameRun> frames(MemorySegment buffer) throws VerbsException {
        if (buffer.byteSize() == 0) {
            throw new VerbsException(VerbsStatus.EINVAL, "empty buffer");
        }
        Extent extent = buffer.isNative() ? extentOf(buffer.address(), buffer.byteSize()) : null;
        if (extent == null) {
            throw new VerbsException(VerbsStatus.EFAULT, "not RAM of this domain: " + buffer);
        }
        long offset = buffer.address() - extent.address();
        long first = offset / FRAME_BYTES;
        long last = (offset + buffer.byteSize() - 1) / FRAME_BYTES;
        return List.of(new FrameRun(extent.mapped.firstMachineFrame() + first, last - first + 1));
    }

    /**
     * How far the first byte of {@code buffer} is into this domain's RAM, in the order in which the
     * VMM lists its extents.
     *
     * @throws VerbsException EFAULT if it is not RAM of this domain
     */
    public long physicalAddress(MemorySegment buffer) throws VerbsException {
        Extent extent = buffer.isNative() ? extentOf(buffer.address(), buffer.byteSize()) : null;
        if (extent == null) {
            throw new VerbsException(VerbsStatus.EFAULT, "not RAM of this domain: " + buffer);
        }
        return extent.physicalAddress + (buffer.address() - extent.address());
    }

    /** The RAM at an address, or null if that is not RAM of this domain. */
    public @Nullable MemorySegment at(long address, long lengthBytes) {
        return extentOf(address, lengthBytes) == null ? null : slice(address, lengthBytes);
    }

    private @Nullable Extent extentOf(long address, long lengthBytes) {
        Map.Entry<Long, Extent> entry = extents.floorEntry(address);
        if (entry == null || lengthBytes < 0) {
            return null;
        }
        long offset = address - entry.getKey();
        long size = entry.getValue().mapped.memory().byteSize();
        return offset <= size && lengthBytes <= size - offset ? entry.getValue() : null;
    }

    private MemorySegment slice(long address, long lengthBytes) {
        Extent extent = extents.floorEntry(address).getValue();
        return extent.mapped.memory().asSlice(address - extent.address(), lengthBytes);
    }

    private long takeFrames(long frames) {
        for (Extent extent : extents.values()) {
            long first = extent.free.take(frames);
            if (first >= 0) {
                return extent.address() + first * FRAME_BYTES;
            }
        }
        return -1;
    }

    private long takeBlock(int blockBytes) {
        long address = small.take(blockBytes);
        if (address < 0) {
            long frame = takeFrames(1);
            if (frame < 0) {
                return -1;
            }
            small.addFrame(frame, blockBytes);
            address = small.take(blockBytes);
        }
        return address;
    }

    private void giveFrames(long address, long frames) {
        Extent extent = extents.floorEntry(address).getValue();
        extent.free.give((address - extent.address()) / FRAME_BYTES, frames);
    }

    private static long framesFor(long lengthBytes) {
        return (lengthBytes - 1) / FRAME_BYTES + 1;
    }
}
