package io.hyperverbs.frontend.executable;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.vmm.hypercall.ExecutableMemory;
import io.hyperverbs.vmm.memory.FrameTable;
import io.hyperverbs.vmm.posix.Fd;
import io.hyperverbs.vmm.posix.Memfd;
import io.hyperverbs.vmm.posix.MemoryMap;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who has the memory for executables, and what is in it. */
@Timeout(60)
class MemoryPoolTest {
    private static final Duration LONG = Duration.ofSeconds(50);

    private Fd memfd;
    private MemoryPool pool;

    @BeforeEach
    void make() throws Exception {
        memfd = Memfd.create("executable", FrameTable.FRAME_BYTES, false);
        pool = new MemoryPool(List.of(new ExecutableMemory(0, 1, memfd)));
    }

    @AfterEach
    void close() {
        memfd.close();
    }

    @Test
    void noneIsThereTwice() {
        assertThat(pool.take(LONG)).isNotNull();
        assertThat(pool.take(Duration.ZERO)).isNull();
        assertThat(pool.count()).isOne();
    }

    @Test
    void theNextReadsZeroes() throws Exception {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment seen = MemoryMap.map(memfd, FrameTable.FRAME_BYTES, false, arena);
            ExecutableMemory taken = pool.take(LONG);
            seen.fill((byte) 7);

            pool.giveBack(taken);

            assertThat(pool.take(LONG)).isEqualTo(taken);
            assertThat(seen.toArray(JAVA_BYTE)).containsOnly(0);
        }
    }

    /** A program that starts as another ends finds its memory, if not at once. */
    @Test
    void whoWaitsHasWhatIsGivenBack() throws Exception {
        ExecutableMemory taken = pool.take(LONG);
        CompletableFuture<ExecutableMemory> next = new CompletableFuture<>();
        Thread waits = Thread.ofPlatform().daemon().start(() -> next.complete(pool.take(LONG)));
        while (waits.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }

        pool.putBack(taken);

        assertThat(next.get(50, TimeUnit.SECONDS)).isEqualTo(taken);
    }
}
