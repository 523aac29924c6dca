package io.hyperverbs.vmm.control;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.domain.MachineException;
import io.hyperverbs.vmm.memory.Extent;
import io.hyperverbs.vmm.memory.FrameKind;
import io.hyperverbs.vmm.memory.FrameTable;
import io.hyperverbs.vmm.posix.Fd;
import io.hyperverbs.vmm.posix.MemoryMap;
import io.hyperverbs.vmm.posix.PosixException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The VMM's own mapping of the HCA's on-board memory, for reading: the HCA is not asked, and does
 * not notice. Callable from any thread.
 */
final class ContextMemoryView {
    private static final int MAX_BYTES = 4 << 20;

    private final FrameTable frames;
    private @Nullable Extent extent;
    private MemorySegment memory = MemorySegment.NULL;

    ContextMemoryView(FrameTable frames) {
        this.frames = frames;
    }

    /** Reads up to {@code lengthBytes}; fewer at the end. */
    ContextSnapshot read(long offsetBytes, int lengthBytes) throws MachineException {
        if (lengthBytes < 0 || lengthBytes > MAX_BYTES) {
            throw new MachineException(VerbsStatus.EINVAL, "length " + lengthBytes + ", at most " + MAX_BYTES);
        }
        MemorySegment whole = mapped();
        long total = whole.byteSize();
        if (offsetBytes < 0 || offsetBytes > total) {
            throw new MachineException(VerbsStatus.EINVAL, "offset " + offsetBytes + " of " + total + " bytes");
        }
        byte[] bytes = new byte[(int) Math.min(lengthBytes, total - offsetBytes)];
        MemorySegment.copy(whole, JAVA_BYTE, offsetBytes, bytes, 0, bytes.length);
        return new ContextSnapshot(bytes, total);
    }

    private synchronized MemorySegment mapped() throws MachineException {
        List<Extent> candidates = frames.ofKind(FrameKind.CONTEXT);
        if (candidates.isEmpty()) {
            return MemorySegment.NULL;
        }
        Extent current = candidates.getFirst();
        if (current != extent) {
            try (Fd memfd = frames.duplicateMemfd(current)) {
                if (memfd == null) {
                    return MemorySegment.NULL;
                }
                // Unmapped when nobody reads it any more.
                memory = MemoryMap.map(memfd, current.lengthBytes(), true, Arena.ofAuto());
                extent = current;
            } catch (PosixException e) {
                throw new MachineException(VerbsStatus.ENOMEM, String.valueOf(e.getMessage()));
            }
        }
        return memory;
    }
}
