package io.hyperverbs.vmm.memory;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.hyperverbs.vmm.posix.Fd;
import io.hyperverbs.vmm.posix.Memfd;
import io.hyperverbs.vmm.posix.MemoryMap;
import io.hyperverbs.vmm.posix.PosixException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * How often each frame of an extent of RAM is pinned, in a memfd that the VMM shares with the device
 * domain of the extent's owner. The device domain changes it, one thread at a time; the VMM looks
 * before it gives frames away.
 *
 * <pre>
 * byte 0        8           12          16
 *      +--------+-----------+-----------+----
 *      | all    | frame 0   | frame 1   | ...
 *      +--------+-----------+-----------+----
 * </pre>
 *
 * {@code all} is the number of pins of all frames together. A frame has its number of pins, or
 * -1 if it holds a ring: then it is QUEUE, and has one pin.
 */
final class FramePins implements AutoCloseable {
    /** In place of a frame's pins. */
    static final int RING = -1;

    private static final long FRAMES_AT = Long.BYTES;
    private static final VarHandle ALL = JAVA_LONG.varHandle();

    private final Arena arena;
    private final MemorySegment memory;
    private final @Nullable Fd memfd;

    private FramePins(Arena arena, MemorySegment memory, @Nullable Fd memfd) {
        this.arena = arena;
        this.memory = memory;
        this.memfd = memfd;
    }

    /**
     * Makes the memory: nothing is pinned.
     *
     * @throws PosixException ENOMEM if the computer cannot spare it
     */
    static FramePins create(int frames) throws PosixException {
        Fd memfd = Memfd.create("hv-pins", sizeBytes(frames), false);
        try {
            return map(memfd, frames, memfd);
        } catch (PosixException | RuntimeException | Error e) {
            memfd.close();
            throw e;
        }
    }

    /** Maps what another process made; the descriptor is of no more use afterwards. */
    static FramePins map(Fd memfd, int frames) throws PosixException {
        return map(memfd, frames, null);
    }

    private static FramePins map(Fd memfd, int frames, @Nullable Fd kept) throws PosixException {
        Arena arena = Arena.ofShared();
        try {
            return new FramePins(arena, MemoryMap.map(memfd, sizeBytes(frames), false, arena), kept);
        } catch (PosixException | RuntimeException | Error e) {
            arena.close();
            throw e;
        }
    }

    private static long sizeBytes(int frames) {
        long bytes = FRAMES_AT + (long) frames * Integer.BYTES;
        return Math.ceilDiv(bytes, FrameTable.FRAME_BYTES) * FrameTable.FRAME_BYTES;
    }

    /** Another descriptor of the memory, of those that {@link #create} made. */
    Fd duplicate() throws PosixException {
        if (memfd == null) {
            throw new IllegalStateException("another process's memory");
        }
        return memfd.duplicate();
    }

    /** Pins of all frames together. */
    long all() {
        return (long) ALL.getVolatile(memory, 0L);
    }

    /** A frame's pins, or {@link #RING}. */
    int of(int frame) {
        return memory.get(JAVA_INT, offset(frame));
    }

    /** The same of {@code count} frames. */
    int[] read(int first, int count) {
        int[] pins = new int[count];
        MemorySegment.copy(memory, JAVA_INT, offset(first), pins, 0, count);
        return pins;
    }

    /** Sets them of so many frames. */
    void write(int first, int... pins) {
        MemorySegment.copy(pins, 0, memory, JAVA_INT, offset(first), pins.length);
    }

    private static long offset(int frame) {
        return FRAMES_AT + (long) frame * Integer.BYTES;
    }

    /** After the frames' own. */
    void addToAll(long pins) {
        ALL.setVolatile(memory, 0L, all() + pins);
    }

    @Override
    public void close() {
        arena.close();
        if (memfd != null) {
            memfd.close();
        }
    }
}
