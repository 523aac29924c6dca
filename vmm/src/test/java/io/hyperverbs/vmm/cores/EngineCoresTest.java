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

class EngineCoresTest {
    private static final EngineCores ONE = EngineCores.of(Map.of());
    private static final EngineCores NONE = EngineCores.of(Map.of(CorePlacement.SETTING, "shared"));

    @Test
    void aMachineOfWhichNothingIsSaidHasOneEngineWithACore() {
        assertThat(EngineCores.standard()).isEqualTo(new EngineCores(1, 0));
    }

    @Test
    void engineAndProgramsShareNoCore() throws Exception {
        List<BitSet> cores = inThread(() -> {
            BitSet allowed = ThreadAffinity.get();
            BitSet program = inThread(() -> {
                ONE.placeProgram();
                return inThread(ThreadAffinity::get);
            });
            ONE.placeEngine();
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
                    NONE.placeEngine();
                    NONE.placeProgram();
                    return before.equals(ThreadAffinity.get());
                }))
                .isTrue();
    }

    @Test
    void lastCoreIsTheEngines() {
        BitSet allowed = BitSet.valueOf(new long[] {0b1011_0110});
        assertThat(ONE.engineCore(allowed).toString()).isEqualTo("{7}");
        assertThat(ONE.programCores(allowed).toString()).isEqualTo("{1, 2, 4, 5}");
    }

    @Test
    void enginesHaveACoreEachWhileHalfOfThemStaysWithPrograms() {
        BitSet allowed = BitSet.valueOf(new long[] {0b1011_0110});

        assertThat(new EngineCores(2, 0).engineCore(allowed).toString()).isEqualTo("{7}");
        assertThat(new EngineCores(2, 1).engineCore(allowed).toString()).isEqualTo("{5}");
        assertThat(new EngineCores(2, 1).programCores(allowed).toString()).isEqualTo("{1, 2, 4}");
        assertThat(new EngineCores(2, 1).isOneEach(5)).isTrue();
    }

    @Test
    void moreEnginesShareTheHalfOfTheCores() {
        BitSet two = BitSet.valueOf(new long[] {0b11});
        BitSet five = BitSet.valueOf(new long[] {0b1_1111});

        assertThat(new EngineCores(3, 0).engineCore(two)).isEqualTo(new EngineCores(3, 1).engineCore(two));
        assertThat(new EngineCores(3, 2).programCores(two).toString()).isEqualTo("{0}");
        assertThat(new EngineCores(3, 2).engineCore(five)).isEqualTo(new EngineCores(3, 0).engineCore(five));
        assertThat(new EngineCores(3, 1).engineCore(five).toString()).isEqualTo("{3}");
        assertThat(new EngineCores(3, 1).programCores(five).toString()).isEqualTo("{0, 1, 2}");
        assertThat(new EngineCores(3, 1).isOneEach(5)).isFalse();
    }

    @Test
    void withOneCoreNothingIsPlaced() {
        assertThat(ONE.coresFor(1)).isZero();
        assertThat(ONE.isOneEach(1)).isFalse();
        assertThat(NONE.isOneEach(8)).isFalse();
    }

    /** Beside an engine that shares its cores there may be others that do not. */
    @Test
    void programsAreKeptOffTheEnginesOfOtherHcasToo() {
        EngineCores guest = EngineCores.of(Map.of(CorePlacement.SETTING, "shared", EngineCores.ENGINES_SETTING, "1"));

        assertThat(guest).isEqualTo(new EngineCores(1, -1));
        assertThat(guest.programCores(BitSet.valueOf(new long[] {0b11})).toString())
                .isEqualTo("{0}");
    }

    @Test
    void settingSaysWhich() {
        assertThat(CorePlacement.of(Map.of())).isEqualTo(CorePlacement.DEDICATED);
        assertThat(CorePlacement.of(Map.of(CorePlacement.SETTING, "shared"))).isEqualTo(CorePlacement.SHARED);
        assertThat(ONE).isEqualTo(new EngineCores(1, 0));
        assertThat(NONE).isEqualTo(new EngineCores(0, -1));
        assertThat(EngineCores.of(Map.of(EngineCores.ENGINES_SETTING, "3", EngineCores.ENGINE_SETTING, "2")))
                .isEqualTo(new EngineCores(3, 2));
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
