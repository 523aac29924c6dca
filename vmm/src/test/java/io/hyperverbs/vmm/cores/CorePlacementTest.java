package io.hyperverbs.vmm.cores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.vmm.posix.PosixException;
import io.hyperverbs.vmm.posix.ThreadAffinity;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

class CorePlacementTest {
    @Test
    void engineAndProgramsShareNoCore() throws Exception {
        List<BitSet> cores = inThread(() -> {
            BitSet allowed = ThreadAffinity.get();
            BitSet program = inThread(() -> {
                CorePlacement.DEDICATED.placeProgram();
                return inThread(ThreadAffinity::get);
            });
            CorePlacement.DEDICATED.placeEngine();
            return List.of(allowed, ThreadAffinity.get(), program);
        });
        BitSet allowed = cores.getFirst();
        BitSet together = (BitSet) cores.get(1).clone();
        together.or(cores.get(2));
        assertThat(together).isEqualTo(allowed);
        if (allowed.cardinality() > 1) {
            assertThat(cores.get(1).cardinality()).isOne();
            assertThat(cores.get(1).intersects(cores.get(2))).isFalse();
        }
    }

    @Test
    void sharedLeavesThreadsAlone() throws Exception {
        assertThat(inThread(() -> {
                    BitSet before = ThreadAffinity.get();
                    CorePlacement.SHARED.placeEngine();
                    CorePlacement.SHARED.placeProgram();
                    return before.equals(ThreadAffinity.get());
                }))
                .isTrue();
    }

    @Test
    void lastCoreIsTheEngines() {
        BitSet allowed = BitSet.valueOf(new long[] {0b1011_0110});
        assertThat(CorePlacement.engineCore(allowed).toString()).isEqualTo("{7}");
        assertThat(CorePlacement.programCores(allowed).toString()).isEqualTo("{1, 2, 4, 5}");
    }

    @Test
    void settingSaysWhich() {
        assertThat(CorePlacement.of(Map.of())).isEqualTo(CorePlacement.DEDICATED);
        assertThat(CorePlacement.of(Map.of(CorePlacement.SETTING, "shared"))).isEqualTo(CorePlacement.SHARED);
        assertThatThrownBy(() -> CorePlacement.of(Map.of(CorePlacement.SETTING, "x")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void noProcessorAtAllIsRefused() {
        assertThatThrownBy(() -> ThreadAffinity.set(new BitSet()))
                .isInstanceOf(PosixException.class)
                .hasMessageContaining("invalid argument");
    }

    private static <T> T inThread(Callable<T> work) throws Exception {
        FutureTask<T> task = new FutureTask<>(work);
        Thread.ofPlatform().start(task);
        return task.get();
    }
}
