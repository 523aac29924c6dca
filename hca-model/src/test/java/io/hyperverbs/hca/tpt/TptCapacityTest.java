package io.hyperverbs.hca.tpt;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.tpt.Window.Binding;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.MemoryWindow;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Keys of a full table, and keys that come back. */
class TptCapacityTest {
    private static final int PD = 5;
    private static final int QUARANTINE = 1 << 16;

    private final CompletionError error = new CompletionError();

    /** Goes round all of its numbers; to be asked for a round without a taker is a failure. */
    private static final class Round implements RandomGenerator {
        private final int numbers;
        private int asked;
        private int takers;

        Round(int numbers) {
            this.numbers = numbers;
        }

        @Override
        public int nextInt(int bound) {
            if (bound == 256) {
                takers = asked;
                return 7;
            }
            assertThat(asked - takers).as("numbers asked for in vain").isLessThan(numbers);
            return 2 + asked++ % numbers;
        }

        @Override
        public long nextLong() {
            throw new AssertionError("keys are drawn from a bound");
        }
    }

    private static RegionPlan plan(int access) {
        return new RegionPlan(PD, 0x1000, 64, access, new long[] {0, 64}, new long[] {8192});
    }

    @Test
    void indexOfALocalKeyComesBackAfterItsQuarantine() {
        Tpt tpt = new Tpt(Contexts.ofWindows(1), 1, 1, new Round(QUARANTINE + 2));
        for (int i = 0; i < 2 * QUARANTINE; i++) {
            tpt.destroy(tpt.create(plan(0)));
        }

        assertThat(tpt.live()).isZero();
    }

    @Test
    void indexOfARemoteKeyComesBackAfterItsQuarantine() {
        Tpt tpt = new Tpt(Contexts.ofWindows(1), 1, 1, new Round(QUARANTINE + 3));
        for (int i = 0; i < QUARANTINE; i++) {
            tpt.destroy(tpt.create(plan(Access.REMOTE_READ.bit())));
        }

        assertThat(tpt.live()).isZero();
    }

    @Test
    void indexOfAWindowComesBackAfterItsQuarantine() {
        Tpt tpt = new Tpt(Contexts.ofWindows(1), 1, 1, new Round(QUARANTINE + 2));
        for (int i = 0; i < 2 * QUARANTINE; i++) {
            tpt.destroy(tpt.createWindow(2, PD, MemoryWindow.Type.ONE));
        }

        assertThat(tpt.windows().live()).isZero();
    }

    @Test
    void bindsAllWindowsOfAnHcaThatHasFarMoreOfThemThanRegions() {
        int count = 80_000;
        Tpt tpt = new Tpt(Contexts.ofWindows(count), 1, count, new SplittableRandom(5));
        Region region = tpt.create(plan(Access.ALL_BITS));
        Binding binding = new Binding();
        binding.lkey = region.lkey();
        binding.address = 0x1000;
        binding.lengthBytes = 64;
        binding.access = Access.REMOTE_READ.bit();
        Window last = null;
        for (int i = 0; i < count; i++) {
            last = tpt.createWindow(2, PD, MemoryWindow.Type.ONE);
            binding.rkey = MemoryWindow.nextKey(last.rkey());
            assertThat(tpt.windows().bind(PD, 77, binding, error) == last).isTrue();
        }

        assertThat(tpt.windows().live()).isEqualTo(count);
        assertThat(region.boundWindows()).isEqualTo(count);
        assertThat(tpt.remote(PD, 77, last.rkey(), 0x1000, 64, 0, error)).isSameAs(last.view());
        assertThat(tpt.remote(PD, 77, region.rkey(), 0x1000, 64, 0, error)).isSameAs(region);
        assertThat(tpt.remote(PD + 1, 77, last.rkey(), 0x1000, 64, 0, error)).isNull();
    }

    @Test
    void givesAllRegionsOfALargeHcaTheirTwoKeys() {
        int count = 70_000;
        Tpt tpt = new Tpt(Contexts.ofWindows(1), count, 1, new SplittableRandom(6));
        RegionPlan plan = plan(Access.ALL_BITS);
        for (int i = 1; i < count; i++) {
            assertThat(tpt.create(plan) == null).isFalse();
        }

        Region last = tpt.create(plan);

        assertThat(tpt.local(PD, last.lkey(), 0x1000, 64, 0, error)).isSameAs(last);
        assertThat(tpt.remote(PD, 0, last.rkey(), 0x1000, 64, 0, error)).isSameAs(last);
        assertThat(tpt.create(plan)).isNull();
    }
}
