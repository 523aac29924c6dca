package io.hyperverbs.vmm.memory;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.posix.MemoryMap;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FrameTableTest {
    private static final int MACHINE_FRAMES = 120;
    private static final int OWNERS = 4;

    private final FrameTable table = new FrameTable(MACHINE_FRAMES);

    @AfterEach
    void freeAll() {
        for (int owner = 0; owner < OWNERS; owner++) {
            table.freeAll(owner);
        }
    }

    @Test
    void neverGivesOutFrameZero() {
        assertThat(table.allocate(1, FrameKind.RAM, 1).firstMachineFrame()).isPositive();
        assertThat(table.ownerOf(0)).isEqualTo(-1);
    }

    /**
     * The table's own limit comes before memory is taken, so this asks the computer for nothing.
     */
    @Test
    void refusesMoreFramesThanTheMachineHas() {
        assertThat(table.allocate(1, FrameKind.RAM, MACHINE_FRAMES)).isNull();
        assertThat(table.allocate(1, FrameKind.RAM, 0)).isNull();
        assertThat(table.allocate(1, FrameKind.RAM, -1)).isNull();
        assertThat(table.usedFrames()).isZero();
    }

    @Test
    void refusesWhatNoExtentCanBe() {
        FrameTable large = new FrameTable(1L << 40);

        assertThat(large.allocate(1, FrameKind.FREE, 1)).isNull();
        assertThat(large.allocate(1, FrameKind.RAM, 1L << 30)).isNull();
        assertThat(large.allocate(1, FrameKind.RAM, Long.MAX_VALUE)).isNull();
        assertThat(large.usedFrames()).isZero();
    }

    @Test
    void takesNothingWhereTheComputerHasNoMemory() {
        FrameTable large = new FrameTable(1L << 40);

        assertThat(large.allocate(1, FrameKind.RAM, (1L << 30) - 1)).isNull();
        assertThat(large.usedFrames()).isZero();
    }

    @Test
    void framesThatAreNoRamHaveNoPins() {
        long frame = table.allocate(1, FrameKind.UAR, 1).firstMachineFrame();

        assertThat(table.pinsOf(frame)).isZero();
        assertThat(table.kindOf(frame)).isEqualTo(FrameKind.UAR);
    }

    @Test
    void findsExtentsByOwner() throws Exception {
        Extent mine = table.allocate(1, FrameKind.RAM, 4);
        assertThat(table.allocate(2, FrameKind.UAR, 1)).isNotNull();

        assertThat(table.find(1, mine.firstMachineFrame())).isSameAs(mine);
        assertThat(table.find(2, mine.firstMachineFrame())).isNull();
        assertThat(table.find(1, mine.firstMachineFrame() + 1)).isNull();
        assertThat(table.ownedBy(1)).containsExactly(mine);
        table.duplicateMemfd(mine).close();
        assertThat(table.usedFrames()).isEqualTo(5);
        assertThat(table.machineFrames()).isEqualTo(MACHINE_FRAMES);
        table.freeAll(1);
        assertThatThrownBy(() -> mine.memfd().duplicate()).isInstanceOf(Exception.class);
        assertThat(table.duplicateMemfd(mine)).isNull();
        Extent again = table.allocate(3, FrameKind.RAM, 4);
        assertThat(again.firstMachineFrame()).isEqualTo(mine.firstMachineFrame());
        assertThat(table.duplicateMemfd(mine)).isNull();
    }

    @Test
    void framesTakenAgainAreZero() throws Exception {
        Extent old = table.allocate(1, FrameKind.RAM, 2);
        try (Arena arena = Arena.ofShared()) {
            MemoryMap.map(old.memfd(), 8192, false, arena).fill((byte) -1);
        }
        table.free(1, old.firstMachineFrame());

        Extent taken = table.allocate(2, FrameKind.RAM, 2);

        assertThat(taken.firstMachineFrame()).isEqualTo(old.firstMachineFrame());
        try (Arena arena = Arena.ofShared()) {
            assertThat(MemoryMap.map(taken.memfd(), 8192, false, arena).toArray(JAVA_LONG))
                    .containsOnly(0);
        }
    }

    @Test
    void keepsPinnedFrames() throws Exception {
        long frame = table.allocate(1, FrameKind.RAM, 2).firstMachineFrame();
        try (DomainPins pins = TestPins.of(table, 1)) {
            assertThat(pins.pin(run(frame, 1), false)).isEqualTo(VerbsStatus.SUCCESS);
            assertThat(table.pins()).isOne();

            assertThat(table.free(1, frame)).isEqualTo(VerbsStatus.EBUSY);

            assertThat(pins.unpin(run(frame, 1), false)).isEqualTo(VerbsStatus.SUCCESS);
        }
        assertThat(table.free(1, frame)).isEqualTo(VerbsStatus.SUCCESS);
    }

    @Test
    void machineMayBeUsedToItsLastFrame() {
        Extent all = table.allocate(2, FrameKind.RAM, MACHINE_FRAMES - FrameTable.FIRST_FRAME);

        assertThat(all.end()).isEqualTo(MACHINE_FRAMES);
        assertThat(table.ownerOf(MACHINE_FRAMES - 1)).isEqualTo(2);
        assertThat(table.ownerOf(MACHINE_FRAMES)).isEqualTo(-1);
        assertThat(table.allocate(2, FrameKind.RAM, 1)).isNull();
        assertThat(table.ownedBy(1)).isEmpty();
    }

    @Test
    void extentIsFreedByItsOwnerAtItsFirstFrame() {
        Extent mine = table.allocate(1, FrameKind.RAM, 4);

        assertThat(table.free(2, mine.firstMachineFrame())).isEqualTo(VerbsStatus.ENOENT);
        assertThat(table.free(1, mine.firstMachineFrame() + 1)).isEqualTo(VerbsStatus.ENOENT);
        assertThat(table.free(1, mine.firstMachineFrame())).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(table.free(1, mine.firstMachineFrame())).isEqualTo(VerbsStatus.ENOENT);
    }

    /** Random calls against one entry per frame. */
    @Test
    void agreesWithASimpleModel() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Model model = new Model();
        for (int step = 0; step < 4000; step++) {
            int owner = random.nextInt(OWNERS);
            String what = "seed " + seed + " step " + step;
            switch (random.nextInt(8)) {
                case 0 -> {
                    int frames = 1 + random.nextInt(12);
                    Extent extent = table.allocate(owner, FrameKind.RAM, frames);
                    long first = model.allocate(owner, frames);
                    assertThat(extent == null ? -1 : extent.firstMachineFrame())
                            .as(what)
                            .isEqualTo(first);
                }
                case 1 -> {
                    long first = random.nextInt(MACHINE_FRAMES);
                    assertThat(table.free(owner, first)).as(what).isEqualTo(model.free(owner, first));
                }
                default -> {
                    boolean ring = random.nextInt(4) == 0;
                    boolean pin = random.nextInt(3) != 0;
                    List<FrameRun> runs = randomRuns(random);
                    try (DomainPins pins = TestPins.of(table, owner)) {
                        VerbsStatus actual = pin ? pins.pin(runs, ring) : pins.unpin(runs, ring);
                        assertThat(actual == VerbsStatus.SUCCESS).as(what).isEqualTo(model.pin(owner, runs, pin, ring));
                    }
                }
            }
            model.check(table, what);
        }
    }

    private static List<FrameRun> randomRuns(Random random) {
        List<FrameRun> runs = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            runs.add(new FrameRun(random.nextInt(MACHINE_FRAMES), 1 + random.nextInt(4)));
        }
        return runs;
    }

    private static List<FrameRun> run(long first, long count) {
        return List.of(new FrameRun(first, count));
    }

    /** One entry per frame: owner, extent, pins, ring. */
    private static final class Model {
        private final int[] owner = new int[MACHINE_FRAMES];
        private final int[] extent = new int[MACHINE_FRAMES];
        private int[] pins = new int[MACHINE_FRAMES];
        private boolean[] ring = new boolean[MACHINE_FRAMES];

        Model() {
            Arrays.fill(owner, -1);
        }

        long allocate(int by, int frames) {
            for (int first = (int) FrameTable.FIRST_FRAME; first + frames <= MACHINE_FRAMES; first++) {
                boolean free = true;
                for (int i = first; i < first + frames; i++) {
                    free &= owner[i] < 0;
                }
                if (free) {
                    Arrays.fill(owner, first, first + frames, by);
                    Arrays.fill(extent, first, first + frames, first);
                    return first;
                }
            }
            return -1;
        }

        VerbsStatus free(int by, long first) {
            int at = (int) first;
            if (owner[at] != by || extent[at] != at) {
                return VerbsStatus.ENOENT;
            }
            for (int i = at; i < MACHINE_FRAMES && owner[i] >= 0 && extent[i] == at; i++) {
                if (pins[i] > 0) {
                    return VerbsStatus.EBUSY;
                }
            }
            for (int i = at; i < MACHINE_FRAMES && owner[i] >= 0 && extent[i] == at; i++) {
                owner[i] = -1;
            }
            return VerbsStatus.SUCCESS;
        }

        boolean pin(int by, List<FrameRun> runs, boolean pin, boolean asRing) {
            int[] newPins = pins.clone();
            boolean[] newRing = ring.clone();
            long named = 0;
            for (FrameRun run : runs) {
                int first = (int) run.firstFrame();
                named += run.count();
                for (int i = first; i < first + run.count(); i++) {
                    // A run may not leave the extent that it starts in.
                    if (i >= MACHINE_FRAMES || owner[i] != by || extent[i] != extent[first]) {
                        return false;
                    }
                    boolean allowed =
                            pin ? !newRing[i] && (!asRing || newPins[i] == 0) : newRing[i] == asRing && newPins[i] > 0;
                    if (!allowed) {
                        return false;
                    }
                    newPins[i] += pin ? 1 : -1;
                    newRing[i] = pin && asRing;
                }
            }
            if (named > Arrays.stream(owner).filter(one -> one == by).count()) {
                return false;
            }
            pins = newPins;
            ring = newRing;
            return true;
        }

        void check(FrameTable table, String what) {
            for (int i = 0; i < MACHINE_FRAMES; i++) {
                FrameKind kind = owner[i] < 0 ? FrameKind.FREE : ring[i] ? FrameKind.QUEUE : FrameKind.RAM;
                assertThat(table.ownerOf(i)).as(what).isEqualTo(owner[i]);
                assertThat(table.pinsOf(i)).as(what).isEqualTo(pins[i]);
                assertThat(table.kindOf(i)).as(what).isEqualTo(kind);
            }
        }
    }
}
