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
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The VMM's own mappings of the HCAs' on-board memories, for reading: an HCA is not asked, and does
 * not notice. Callable from any thread.
 */
final class ContextMemoryView {
    private static final int MAX_BYTES = 4 << 20;

    private final FrameTable frames;
    private final Map<Integer, Mapping> byDeviceDomain = new HashMap<>();

    private record Mapping(Extent extent, MemorySegment memory) {}

    ContextMemoryView(FrameTable frames) {
        this.frames = frames;
    }

    /**
     * Reads up to {@code lengthBytes}; fewer at the end.
     *
     * @param deviceDomain whose HCA it is; one without memory reads as none
     */
    ContextSnapshot read(int deviceDomain, long offsetBytes, int lengthBytes) throws MachineException {
        if (lengthBytes < 0 || lengthBytes > MAX_BYTES) {
            throw new MachineException(VerbsStatus.EINVAL, "length " + lengthBytes + ", at most " + MAX_BYTES);
        }
        MemorySegment whole = mapped(deviceDomain);
        long total = whole.byteSize();
        if (offsetBytes < 0 || offsetBytes > total) {
            throw new MachineException(VerbsStatus.EINVAL, "offset " + offsetBytes + " of " + total + " bytes");
        }
        byte[] bytes = new byte[(int) Math.min(lengthBytes, total - offsetBytes)];
        MemorySegment.copy(whole, JAVA_BYTE, offsetBytes, bytes, 0, bytes.length);
        return new ContextSnapshot(bytes, total);
    }

    private synchronized MemorySegment mapped(int deviceDomain) throws MachineException {
        Optional<Extent> current = frames.ownedBy(deviceDomain).stream()
                .filter(extent -> extent.kind() == FrameKind.CONTEXT)
                .findFirst();
        Mapping known = byDeviceDomain.get(deviceDomain);
        if (current.isEmpty()) {
            byDeviceDomain.remove(deviceDomain);
            return MemorySegment.NULL;
        }
        if (known != null && known.extent() == current.get()) {
            return known.memory();
        }
        try (Fd memfd = frames.duplicateMemfd(current.get())) {
            if (memfd == null) {
                return MemorySegment.NULL;
            }
            // Unmapped when nobody reads it any more.
            MemorySegment memory = MemoryMap.map(memfd, current.get().lengthBytes(), true, Arena.ofAuto());
            byDeviceDomain.put(deviceDomain, new Mapping(current.get(), memory));
            return memory;
        } catch (PosixException e) {
            throw new MachineException(VerbsStatus.ENOMEM, String.valueOf(e.getMessage()));
        }
    }
}
