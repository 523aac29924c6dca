package io.hyperverbs.backend.verbs;

import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.vmm.io.FrameRun;
import java.util.List;

/** Decides whether memory may be registered, as far as its numbers tell. No effects. */
final class RegionCheck {
    private static final int NEEDS_LOCAL_WRITE = Access.REMOTE_WRITE.bit() | Access.REMOTE_ATOMIC.bit();

    /**
     * Runs that a request may name: a buffer of a driver is one, as its memory is contiguous in the
     * machine, and 64 MiB in pieces of 64 KiB are as many. Each is looked at in the VMM, one domain
     * after the other.
     */
    static final int MAX_RUNS = 1024;

    private RegionCheck() {}

    private static void count(List<FrameRun> runs) throws Refusal {
        if (runs.size() > MAX_RUNS) {
            throw Statuses.invalid(runs.size() + " runs of frames in a request, must be at most " + MAX_RUNS);
        }
    }

    /** {@code reg_mr} with REMOTE_WRITE or REMOTE_ATOMIC and without LOCAL_WRITE is EINVAL. */
    static void access(int access) throws Refusal {
        if ((access & ~Access.ALL_BITS) != 0) {
            throw Statuses.invalid("access 0x" + Integer.toHexString(access) + " has unknown bits");
        }
        if ((access & NEEDS_LOCAL_WRITE) != 0 && (access & Access.LOCAL_WRITE.bit()) == 0) {
            throw Statuses.invalid("access " + Access.of(access) + " needs " + Access.LOCAL_WRITE + " too");
        }
    }

    /** The range is not empty, does not wrap 2^64, and is not beyond {@code maxBytes}. */
    static void range(long virtualAddress, long lengthBytes, long maxBytes) throws Refusal {
        if (lengthBytes < 1 || lengthBytes > maxBytes) {
            throw Statuses.invalid("length " + lengthBytes + ", must be 1 to " + maxBytes);
        }
        if (Long.compareUnsigned(virtualAddress + (lengthBytes - 1), virtualAddress) < 0) {
            throw Statuses.invalid("region wraps the address space");
        }
    }

    /**
     * The runs are the pages of the range, neither fewer nor more, in not too many pieces. {@link
     * #range} holds.
     */
    static void pages(long virtualAddress, long lengthBytes, List<FrameRun> runs) throws Refusal {
        count(runs);
        long offset = virtualAddress & (FrameRun.FRAME_BYTES - 1);
        // Rounding down first: offset + length could pass 2^63.
        long last = lengthBytes - 1;
        long pages = last / FrameRun.FRAME_BYTES + (offset + last % FrameRun.FRAME_BYTES) / FrameRun.FRAME_BYTES + 1;
        long given = 0;
        for (FrameRun run : runs) {
            if (run.count() > pages - given) {
                throw Statuses.invalid("frames beyond the " + pages + " pages of the region");
            }
            given += run.count();
        }
        if (given != pages) {
            throw Statuses.invalid(given + " frames for a region of " + pages + " pages");
        }
    }

    /** A ring is whole frames, contiguous in the machine; the runs as one. */
    static FrameRun ring(long lengthBytes, List<FrameRun> runs) throws Refusal {
        if (lengthBytes < 1 || runs.isEmpty()) {
            throw Statuses.invalid("ring of " + lengthBytes + " bytes");
        }
        count(runs);
        long first = runs.getFirst().firstFrame();
        long count = 0;
        for (FrameRun run : runs) {
            if (run.firstFrame() != first + count) {
                throw Statuses.invalid("ring frames are not contiguous in the machine");
            }
            count += run.count();
        }
        long needed = (lengthBytes - 1) / FrameRun.FRAME_BYTES + 1;
        if (count != needed) {
            throw Statuses.invalid(count + " frames for a ring of " + needed + " pages");
        }
        return new FrameRun(first, count);
    }
}
