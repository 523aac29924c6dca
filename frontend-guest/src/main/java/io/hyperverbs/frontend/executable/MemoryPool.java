package io.hyperverbs.frontend.executable;

import io.hyperverbs.vmm.hypercall.ExecutableMemory;
import io.hyperverbs.vmm.memory.FrameTable;
import io.hyperverbs.vmm.posix.MemoryMap;
import io.hyperverbs.vmm.posix.PosixException;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** RAM of the guest for executables: one piece for each that runs verbs, zeroed before the next has it. Any thread. */
final class MemoryPool {
    private final BlockingQueue<ExecutableMemory> free;
    private final int count;

    MemoryPool(List<ExecutableMemory> all) {
        this.free = new LinkedBlockingQueue<>(all);
        this.count = all.size();
    }

    /** How many there are, taken ones too. */
    int count() {
        return count;
    }

    /**
     * One that reads as zeroes.
     *
     * @param patience for one to be given back
     * @return null if all are still taken then
     */
    @Nullable
    ExecutableMemory take(Duration patience) {
        try {
            return free.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /** Whoever it was meant for never had it. */
    void putBack(ExecutableMemory memory) {
        free.add(memory);
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
        free.add(memory);
    }
}
