package io.hyperverbs.hca.transport;

import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.hca.tpt.Region;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A list of segments of memory that reads as one stretch of bytes: segments of regions, which
 * themselves may be scattered over the machine, or private bytes of the HCA. Reused.
 */
public final class SgList {
    // Some microseconds of copying: what a newcomer waits for.
    private static final long PIECE_BYTES = 32 * 1024;

    // The same where newcomers are expected. Alone, more looks for them would cost bandwidth.
    private static final long SHORT_PIECE_BYTES = 8 * 1024;

    private final MemorySegment machineMemory;
    private final @Nullable Region[] regions = new Region[QueueGeometry.MAX_SGE];
    private final long[] offsets = new long[QueueGeometry.MAX_SGE];
    private final long[] lengths = new long[QueueGeometry.MAX_SGE];
    private MemorySegment memory;
    private int pieces;
    private int piece;
    private long done;

    public SgList(MemorySegment machineMemory) {
        this.machineMemory = machineMemory;
        this.memory = machineMemory;
    }

    /** Begins a list of region segments. */
    public void clear() {
        memory = machineMemory;
        pieces = 0;
    }

    /** Makes a list of one segment of the HCA's private memory. */
    public void setPrivate(MemorySegment memory, long offset, long lengthBytes) {
        this.memory = memory;
        pieces = 1;
        regions[0] = null;
        offsets[0] = offset;
        lengths[0] = lengthBytes;
    }

    /** Adds {@code lengthBytes} of {@code region}, checked, from that virtual address. */
    public void add(Region region, long virtualAddress, long lengthBytes) {
        regions[pieces] = region;
        offsets[pieces] = virtualAddress - region.virtualAddress();
        lengths[pieces] = lengthBytes;
        pieces++;
    }

    /**
     * Copies up to {@code lengthBytes} at {@code offset} of both lists: all of them, unless there
     * wait for the engine after a chunk.
     *
     * @return how many
     */
    public static long copy(SgList from, SgList to, long offset, long lengthBytes, Preemption preemption) {
        if (lengthBytes > SHORT_PIECE_BYTES) {
            return copyPieces(from, to, offset, lengthBytes, preemption);
        }
        copy(from, offset, to, offset, lengthBytes);
        return lengthBytes;
    }

    private static long copyPieces(SgList from, SgList to, long offset, long lengthBytes, Preemption preemption) {
        long most = preemption.expectsMore() ? SHORT_PIECE_BYTES : PIECE_BYTES;
        long done = 0;
        do {
            long piece = Math.min(most, lengthBytes - done);
            copy(from, offset + done, to, offset + done, piece);
            done += piece;
        } while (done < lengthBytes && !preemption.shouldYield());
        return done;
    }

    /** Copies {@code lengthBytes} at {@code offset} of both lists. */
    public static void copy(SgList from, SgList to, long offset, long lengthBytes) {
        copy(from, offset, to, offset, lengthBytes);
    }

    /** Copies {@code lengthBytes} at an offset of each list. */
    public static void copy(SgList from, long fromOffset, SgList to, long toOffset, long lengthBytes) {
        from.seek(fromOffset);
        to.seek(toOffset);
        long left = lengthBytes;
        while (left > 0) {
            long run = Math.min(left, Math.min(from.contiguous(), to.contiguous()));
            MemorySegment.copy(from.memory, from.address(), to.memory, to.address(), run);
            left -= run;
            if (left > 0) {
                from.skip(run);
                to.skip(run);
            }
        }
    }

    private void seek(long offset) {
        piece = 0;
        done = offset;
        while (done >= lengths[piece] && piece < pieces - 1) {
            done -= lengths[piece++];
        }
    }

    private void skip(long bytes) {
        done += bytes;
        if (done == lengths[piece] && piece < pieces - 1) {
            piece++;
            done = 0;
        }
    }

    private long address() {
        Region region = regions[piece];
        long offset = offsets[piece] + done;
        return region == null ? offset : region.machineAddress(offset);
    }

    private long contiguous() {
        Region region = regions[piece];
        long left = lengths[piece] - done;
        return region == null ? left : Math.min(left, region.contiguousBytes(offsets[piece] + done));
    }
}
