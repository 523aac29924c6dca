package io.hyperverbs.frontend.executable;

import io.hyperverbs.vmm.hypercall.ExecutableMemory;
import io.hyperverbs.vmm.memory.FrameTable;
import io.hyperverbs.vmm.posix.MemoryMap;
import io.hyperverbs.vmm.posix.PosixException;
import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** RAM of the guest for executables: one piece for each that runs verbs, zeroed before the next has it. Any thread. */
final class MemoryPool {
    private final Deque<ExecutableMemory> free;
    private final int count;

    MemoryPool(List<ExecutableMemory> all) {
        this.free = new ArrayDeque<>(all);
        this.count = all.size();
    }

    /** How many there are, taken ones too. */
    int count() {
        return count;
    }

    /** One that reads as zeroes; null if all are taken. */
    synchronized @Nullable ExecutableMemory take() {
        return free.poll();
    }

    /**
     * Nobody uses it any more, neither the executable nor the HCA.
     *
     * @throws PosixException if it cannot be zeroed: it is not given to anybody again
     */
    void giveBack(ExecutableMemory memory) throws PosixException {
        try (Arena arena = Arena.ofShared()) {
            var _ = MemoryMap.map(memory.memfd(), memory.frames() * FrameTable.FRAME_BYTES, false, arena)
                    .fill((byte) 0);
        }
        synchronized (this) {
            free.add(memory);
        }
    }
}
