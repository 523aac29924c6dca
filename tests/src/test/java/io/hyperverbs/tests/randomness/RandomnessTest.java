package io.hyperverbs.tests.randomness;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.session.HandleTable;
import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.ContextMemoryLayout;
import io.hyperverbs.hca.layout.ContextMemoryLayout.Table;
import io.hyperverbs.hca.number.RandomNumbers;
import io.hyperverbs.hca.tpt.Region;
import io.hyperverbs.hca.tpt.RegionPlan;
import io.hyperverbs.hca.tpt.Tpt;
import io.hyperverbs.vmm.io.ObjectKind;
import java.lang.foreign.Arena;
import java.security.SecureRandom;
import java.util.Map;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;

/**
 * Keys, queue pair numbers and handles, 2^20 of each: on their own, and those of two domains drawn
 * in turn (ReDMArk: bnxt and rxe had 0 bits of randomness in a key, mlx5 2.85).
 */
class RandomnessTest {
    private static final int DRAWS = 1 << 20;
    private static final int ALL = 15;

    private final SecureRandom random = new SecureRandom();

    /** What two domains got, one after the other. */
    private static final class Drawn {
        private final int[] one = new int[DRAWS / 2];
        private final int[] other = new int[DRAWS / 2];

        static Drawn from(IntSupplier ofOne, IntSupplier ofOther) {
            Drawn drawn = new Drawn();
            for (int i = 0; i < DRAWS / 2; i++) {
                drawn.one[i] = ofOne.getAsInt();
                drawn.other[i] = ofOther.getAsInt();
            }
            return drawn;
        }

        void expectRandom(int bits) {
            assertThat(Suspicion.of(one, bits)).isEmpty();
            assertThat(Suspicion.of(other, bits)).isEmpty();
            assertThat(Suspicion.between(one, other, bits)).isEmpty();
        }

        void expectOdd() {
            assertThat(Suspicion.of(one, 32).isPresent()).isTrue();
        }
    }

    private Tpt table() {
        long base = 0;
        int[] counts = ContextMemoryLayout.counts(Map.of(Table.REGION, 16, Table.MW, 16));
        var memory = Arena.ofAuto().allocate(ContextMemoryLayout.totalBytes(counts), 4096);
        ContextMemoryLayout.format(memory, base, counts);
        return new Tpt(new ContextMemory(memory, base), 16, 16, random);
    }

    private static Region register(Tpt tpt, int pd) {
        Region region = tpt.create(new RegionPlan(pd, 0, 64, ALL, new long[] {0, 64}, new long[] {0}));
        tpt.destroy(region);
        return region;
    }

    @Test
    void ofRemoteKeys() {
        Tpt tpt = table();

        Drawn.from(() -> register(tpt, 1).rkey(), () -> register(tpt, 2).rkey()).expectRandom(32);
    }

    @Test
    void ofTheTwoKeysOfARegion() {
        Tpt tpt = table();
        Region[] last = new Region[1];

        Drawn.from(
                        () -> {
                            last[0] = register(tpt, 1);
                            return last[0].lkey();
                        },
                        () -> last[0].rkey())
                .expectRandom(32);
    }

    @Test
    void ofQueuePairNumbers() {
        RandomNumbers numbers = new RandomNumbers(random, 64, 1 << 14);
        IntSupplier next = () -> {
            int number = numbers.take();
            numbers.release(number);
            return number;
        };

        Drawn.from(next, next).expectRandom(24);
    }

    @Test
    void ofHandles() {
        IntSupplier first = () -> {
            HandleTable<String> table = new HandleTable<>(ObjectKind.QP, 1, random);
            return (int) (table.add("x") >>> 20);
        };

        Drawn.from(first, first).expectRandom(32);
    }

    @Test
    void isMissingFromACounter() {
        int[] counter = {0x1234};

        Drawn.from(() -> counter[0]++, () -> counter[0]++).expectOdd();
    }

    @Test
    void isMissingFromKeysThatAreABlockApart() {
        int[] key = {0x8000};
        IntSupplier next = () -> key[0] += 0x100;

        Drawn.from(next, next).expectOdd();
    }

    @Test
    void isMissingFromALinearGenerator() {
        int[] state = {99};
        IntSupplier next = () -> state[0] = state[0] * 1_664_525 + 1_013_904_223;

        Drawn.from(next, next).expectOdd();
    }

    @Test
    void isMissingWhereDomainsShareAGeneratorWithOnePart() {
        int[] last = new int[1];

        Drawn drawn = Drawn.from(() -> last[0] = random.nextInt(), () -> last[0] + 0x100);

        assertThat(Suspicion.of(drawn.one, 32)).isEmpty();
        assertThat(Suspicion.between(drawn.one, drawn.other, 32)).isPresent();
    }
}
