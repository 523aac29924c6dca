package io.hyperverbs.hca.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.ContextMemoryLayout;
import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.hca.tpt.Region;
import io.hyperverbs.hca.tpt.RegionPlan;
import io.hyperverbs.hca.tpt.Tpt;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scattered memory reads and writes as one stretch of bytes, and not a byte beyond it. */
class SgListTest {
    private static final int MEMORY = 1 << 18;
    private static final int PIECE = 32 * 1024;
    private static final int SHORT_PIECE = 8 * 1024;

    private final MemorySegment machine = Arena.ofAuto().allocate(MEMORY, 64);
    private final Tpt tpt = tpt();

    private static Tpt tpt() {
        int[] counts = ContextMemoryLayout.counts(Map.of());
        MemorySegment memory = Arena.ofAuto().allocate(ContextMemoryLayout.totalBytes(counts), 4096);
        ContextMemoryLayout.format(memory, 0, counts);
        return new Tpt(new ContextMemory(memory, 0), 64, 1, new SplittableRandom(1));
    }

    private Region region(long virtual, long[] starts, long... addresses) {
        return tpt.create(new RegionPlan(1, virtual, starts[starts.length - 1], 0, starts, addresses));
    }

    private SgList one(long machineAddress, long lengthBytes) {
        SgList list = new SgList(machine);
        list.clear();
        list.add(region(0, new long[] {0, lengthBytes}, machineAddress), 0, lengthBytes);
        return list;
    }

    private record Coming(BooleanSupplier rings, boolean expectsMore) implements Preemption {
        static Coming unexpected(BooleanSupplier rings) {
            return new Coming(rings, false);
        }

        @Override
        public boolean shouldYield() {
            return rings.getAsBoolean();
        }
    }

    private byte[] bytes() {
        return machine.toArray(ValueLayout.JAVA_BYTE);
    }

    private void fillRandomly(long seed) {
        byte[] all = new byte[MEMORY];
        new java.util.Random(seed).nextBytes(all);
        MemorySegment.copy(all, 0, machine, ValueLayout.JAVA_BYTE, 0, MEMORY);
    }

    /** Where each byte of a list lies: the model. */
    private static final class Scattered {
        final SgList list;
        final int[] machineAddresses;

        Scattered(SgList list, int[] machineAddresses) {
            this.list = list;
            this.machineAddresses = machineAddresses;
        }
    }

    /** Regions of one to four runs, and one to five pieces of them, in places of their own. */
    private Scattered scattered(SplittableRandom random, int from, int total) {
        SgList list = new SgList(machine);
        list.clear();
        int[] places = new int[total];
        int filled = 0;
        int at = from;
        int pieces = random.nextInt(1, 6);
        for (int i = 0; i < pieces && filled < total; i++) {
            int length = i == pieces - 1 ? total - filled : random.nextInt(1, total - filled + 1);
            int skipped = random.nextInt(3);
            int runs = random.nextInt(1, 5);
            long[] starts = new long[runs + 1];
            long[] addresses = new long[runs];
            int size = skipped + length + random.nextInt(3);
            for (int run = 0; run < runs; run++) {
                starts[run + 1] =
                        run == runs - 1 ? Math.max(size, starts[run] + 1) : starts[run] + 1 + random.nextInt(9);
                addresses[run] = at;
                at += (int) (starts[run + 1] - starts[run]) + random.nextInt(5);
            }
            long virtual = random.nextLong();
            Region region = region(virtual, starts, addresses);
            list.add(region, virtual + skipped, length);
            for (int b = 0; b < length; b++) {
                int offset = skipped + b;
                int run = 0;
                while (starts[run + 1] <= offset) {
                    run++;
                }
                places[filled++] = (int) (addresses[run] + offset - starts[run]);
            }
        }
        return new Scattered(list, places);
    }

    @Test
    void copiesTheBytesOfTheModelAndNoOther() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 300; round++) {
            fillRandomly(seed + round);
            int total = random.nextInt(1, 200);
            Scattered from = scattered(random, 0, total);
            Scattered to = scattered(random, MEMORY / 2, total);
            int fromOffset = random.nextInt(total);
            int toOffset = random.nextInt(total);
            int length = random.nextInt(total - Math.max(fromOffset, toOffset) + 1);
            byte[] expected = bytes();
            byte[] before = expected.clone();
            for (int b = 0; b < length; b++) {
                expected[to.machineAddresses[toOffset + b]] = before[from.machineAddresses[fromOffset + b]];
            }

            SgList.copy(from.list, fromOffset, to.list, toOffset, length);

            assertThat(Arrays.mismatch(bytes(), expected))
                    .as("seed %d, round %d", seed, round)
                    .isEqualTo(-1);
            for (int number = 1; number <= 64; number++) {
                Region region = tpt.byNumber(number);
                if (region != null) {
                    tpt.destroy(region);
                }
            }
        }
    }

    @Test
    void privateBytesAreAPieceToo() {
        MemorySegment own = MemorySegment.ofArray(new byte[] {0, 1, 2, 3, 4, 5, 6, 7});
        SgList from = new SgList(machine);
        from.setPrivate(own, 2, 5);
        SgList to = one(4096, 5);

        SgList.copy(from, 1, to, 1, 3);

        assertThat(machine.asSlice(4096, 6).toArray(ValueLayout.JAVA_BYTE)).containsExactly(0, 3, 4, 5, 0, 0);
        SgList.copy(to, 0, from, 2, 2);
        assertThat(own.toArray(ValueLayout.JAVA_BYTE)).containsExactly(0, 1, 2, 3, 0, 3, 6, 7);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE, 3 * PIECE})
    void newcomersStopACopyAfterAPieceButNotAShortOne(int length) {
        fillRandomly(length);
        SgList from = one(0, length);
        SgList to = one(MEMORY / 2, length);

        assertThat(SgList.copy(from, to, 0, length, Coming.unexpected(() -> true)))
                .isEqualTo(Math.min(length, PIECE));
        assertThat(SgList.copy(from, to, 0, length, Coming.unexpected(() -> false)))
                .isEqualTo(length);
        assertThat(machine.asSlice(0, length).mismatch(machine.asSlice(MEMORY / 2, length)))
                .isEqualTo(-1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, SHORT_PIECE - 1, SHORT_PIECE, SHORT_PIECE + 1, PIECE, 3 * PIECE})
    void expectedNewcomersStopItSooner(int length) {
        fillRandomly(length);
        SgList from = one(0, length);
        SgList to = one(MEMORY / 2, length);

        assertThat(SgList.copy(from, to, 0, length, new Coming(() -> true, true)))
                .isEqualTo(Math.min(length, SHORT_PIECE));
        assertThat(SgList.copy(from, to, 0, length, new Coming(() -> false, true)))
                .isEqualTo(length);
        assertThat(machine.asSlice(0, length).mismatch(machine.asSlice(MEMORY / 2, length)))
                .isEqualTo(-1);
    }

    @Test
    void goesOnAsLongAsNobodyComesAndSaysWhereItStopped() {
        int length = 3 * PIECE + 100;
        fillRandomly(5);
        byte beyond = machine.get(ValueLayout.JAVA_BYTE, MEMORY / 2 + 2 * PIECE);
        int[] looks = {0};

        long done = SgList.copy(
                one(0, length), one(MEMORY / 2, length), 0, length, Coming.unexpected(() -> ++looks[0] == 2));

        assertThat(done).isEqualTo(2 * PIECE);
        assertThat(machine.asSlice(0, done).mismatch(machine.asSlice(MEMORY / 2, done)))
                .isEqualTo(-1);
        assertThat(machine.get(ValueLayout.JAVA_BYTE, MEMORY / 2 + done)).isEqualTo(beyond);
    }

    @Test
    void nothingIsCopiedAtTheVeryEndOfTheLongestList() {
        SgList most = new SgList(machine);
        most.clear();
        Region region = region(0, new long[] {0, 1}, 100);
        for (int i = 0; i < QueueGeometry.MAX_SGE; i++) {
            most.add(region, 0, 1);
        }
        fillRandomly(6);
        byte[] before = bytes();

        SgList.copy(most, QueueGeometry.MAX_SGE, one(4096, 8), 8, 0);

        assertThat(bytes()).isEqualTo(before);
    }
}
