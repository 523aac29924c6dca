package io.hyperverbs.vmm.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.FrameRun;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A change of pins that fails at its last frame leaves all as it was; what is counted meanwhile.
 */
class PinUndoTest {
    private static final int OWNER = 1;

    private final FrameTable table = new FrameTable(64);
    private Extent low;
    private Extent high;

    @BeforeEach
    void takeTwoExtents() {
        low = table.allocate(OWNER, FrameKind.RAM, 4);
        high = table.allocate(OWNER, FrameKind.RAM, 4);
    }

    @AfterEach
    void freeThem() {
        table.freeAll(OWNER);
        assertThat(table.usedFrames()).isZero();
    }

    private FrameRun run(Extent extent, int first, int count) {
        return new FrameRun(extent.firstMachineFrame() + first, count);
    }

    private VerbsStatus change(boolean pin, boolean asRing, FrameRun... runs) {
        return pin ? table.pin(OWNER, List.of(runs), asRing) : table.unpin(OWNER, List.of(runs), asRing);
    }

    private void expect(Extent extent, FrameKind kind, int... pins) {
        for (int i = 0; i < pins.length; i++) {
            long frame = extent.firstMachineFrame() + i;
            assertThat(table.pinsOf(frame)).as("frame %d", i).isEqualTo(pins[i]);
            assertThat(table.kindOf(frame)).as("frame %d", i).isEqualTo(kind);
        }
    }

    @ParameterizedTest
    @CsvSource({"false, 2", "true, 1"})
    void unpinningTooMuchTakesNothing(boolean asRing, int times) {
        for (int i = 0; i < times; i++) {
            assertThat(change(true, asRing, run(low, 0, 4), run(high, 0, 3))).isEqualTo(VerbsStatus.SUCCESS);
        }

        assertThat(change(false, asRing, run(low, 1, 2), run(high, 0, 4))).isEqualTo(VerbsStatus.EINVAL);

        FrameKind kind = asRing ? FrameKind.QUEUE : FrameKind.RAM;
        expect(low, kind, times, times, times, times);
        expect(high, kind, times, times, times);
        assertThat(table.pins()).isEqualTo(7L * times);
        for (int i = 0; i < times; i++) {
            assertThat(change(false, asRing, run(high, 0, 3), run(low, 0, 4))).isEqualTo(VerbsStatus.SUCCESS);
        }
        assertThat(table.pins()).isZero();
        expect(low, FrameKind.RAM, 0, 0, 0, 0);
    }

    @ParameterizedTest
    @CsvSource({"false, EFAULT", "true, EBUSY"})
    void pinningWhatIsTakenPinsNothing(boolean asRing, VerbsStatus status) {
        assertThat(change(true, true, run(high, 2, 1))).isEqualTo(VerbsStatus.SUCCESS);

        assertThat(change(true, asRing, run(low, 0, 4), run(high, 0, 3))).isEqualTo(status);

        expect(low, FrameKind.RAM, 0, 0, 0, 0);
        expect(high, FrameKind.RAM, 0, 0);
        assertThat(table.kindOf(high.firstMachineFrame() + 2)).isEqualTo(FrameKind.QUEUE);
        assertThat(table.pins()).isOne();
    }

    @Test
    void framesMayBeNamedAsOftenAsThereAreSome() {
        FrameRun all = run(low, 0, 4);

        assertThat(change(true, false, all, all)).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(change(true, false, all, all, run(low, 0, 1))).isEqualTo(VerbsStatus.EFAULT);
        expect(low, FrameKind.RAM, 2, 2, 2, 2);
    }

    @Test
    void runMayNotLeaveItsExtent() {
        assertThat(change(true, false, run(low, 3, 1))).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(change(true, false, run(low, 3, 2))).isEqualTo(VerbsStatus.EFAULT);
        assertThat(table.pins()).isOne();
    }

    @Test
    void machineMayBeUsedToItsLastFrame() {
        Extent rest = table.allocate(2, FrameKind.RAM, 64 - FrameTable.FIRST_FRAME - 8);

        assertThat(rest).isNotNull();
        assertThat(rest.end()).isEqualTo(64);
        assertThat(table.ownerOf(63)).isEqualTo(2);
        assertThat(table.ownerOf(64)).isEqualTo(-1);
        assertThat(table.allocate(2, FrameKind.RAM, 1)).isNull();
        table.freeAll(2);
        assertThat(table.ownedBy(OWNER)).containsExactly(low, high);
    }

    @Test
    void extentIsFreedByItsOwnerAtItsFirstFrame() {
        assertThat(table.free(2, low.firstMachineFrame())).isEqualTo(VerbsStatus.ENOENT);
        assertThat(table.free(OWNER, low.firstMachineFrame() + 1)).isEqualTo(VerbsStatus.ENOENT);
        assertThat(table.free(OWNER, low.firstMachineFrame())).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(table.free(OWNER, low.firstMachineFrame())).isEqualTo(VerbsStatus.ENOENT);
    }
}
