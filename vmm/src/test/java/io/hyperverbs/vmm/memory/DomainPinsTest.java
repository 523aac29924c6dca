package io.hyperverbs.vmm.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.posix.Fd;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pins in memory that the frame table sees, and what a change that fails at its last frame leaves: all as it was. */
class DomainPinsTest {
    private static final int OWNER = 1;
    private static final int OTHER = 2;

    private final FrameTable table = new FrameTable(64);
    private Extent low;
    private Extent high;
    private DomainPins pins;

    @BeforeEach
    void takeTwoExtents() throws Exception {
        low = table.allocate(OWNER, FrameKind.RAM, 4);
        high = table.allocate(OWNER, FrameKind.RAM, 4);
        pins = TestPins.of(table, OWNER);
    }

    @AfterEach
    void freeThem() {
        pins.close();
        table.freeAll(OWNER);
        table.freeAll(OTHER);
        assertThat(table.usedFrames()).isZero();
    }

    private FrameRun run(Extent extent, int first, int count) {
        return new FrameRun(extent.firstMachineFrame() + first, count);
    }

    private VerbsStatus change(boolean pin, boolean asRing, FrameRun... runs) {
        return pin ? pins.pin(List.of(runs), asRing) : pins.unpin(List.of(runs), asRing);
    }

    private void expect(Extent extent, FrameKind kind, int... counts) {
        for (int i = 0; i < counts.length; i++) {
            long frame = extent.firstMachineFrame() + i;
            assertThat(table.pinsOf(frame)).as("frame %d", i).isEqualTo(counts[i]);
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
    void countsPinsUpToTheMostAnIntHolds() throws Exception {
        try (Fd memory = table.duplicatePins(low);
                FramePins counts = FramePins.map(memory, 4)) {
            counts.write(1, Integer.MAX_VALUE);

            assertThat(change(true, false, run(low, 0, 2))).isEqualTo(VerbsStatus.EAGAIN);

            assertThat(table.pinsOf(low.firstMachineFrame())).isZero();
            assertThat(table.pinsOf(low.firstMachineFrame() + 1)).isEqualTo(Integer.MAX_VALUE);
        }
    }

    @Test
    void pinsNothingIfOneFrameIsAnothers() {
        Extent theirs = table.allocate(OTHER, FrameKind.RAM, 4);

        assertThat(change(true, false, run(low, 0, 3), run(theirs, 0, 1))).isEqualTo(VerbsStatus.EFAULT);
        assertThat(change(true, true, new FrameRun(0, 1))).isEqualTo(VerbsStatus.EFAULT);

        assertThat(table.pins()).isZero();
    }

    @Test
    void ringFrameIsNeitherRegistrableNorASecondRing() {
        FrameRun frame = run(low, 0, 1);
        assertThat(change(true, true, frame)).isEqualTo(VerbsStatus.SUCCESS);

        assertThat(table.kindOf(frame.firstFrame())).isEqualTo(FrameKind.QUEUE);
        assertThat(change(true, false, frame)).isEqualTo(VerbsStatus.EFAULT);
        assertThat(change(true, true, frame)).isEqualTo(VerbsStatus.EBUSY);
        assertThat(change(false, false, frame)).isEqualTo(VerbsStatus.EINVAL);
    }

    @Test
    void pinnedFrameBecomesNoRing() {
        assertThat(change(true, false, run(low, 1, 1))).isEqualTo(VerbsStatus.SUCCESS);

        assertThat(change(true, true, run(low, 0, 2))).isEqualTo(VerbsStatus.EBUSY);
        expect(low, FrameKind.RAM, 0, 1, 0, 0);
    }

    @Test
    void refusesRunsThatNameMoreFramesThanThereAre() {
        assertThat(change(true, false, new FrameRun(low.firstMachineFrame(), 1L << 40)))
                .isEqualTo(VerbsStatus.EFAULT);
        assertThat(table.pins()).isZero();
    }

    /** Frames of other kinds have no pins to share. */
    @Test
    void pinsRamAlone() throws Exception {
        for (FrameKind kind : FrameKind.values()) {
            Extent extent = table.allocate(OTHER, kind, 1);
            if (extent != null) {
                try (Fd memory = table.duplicatePins(extent)) {
                    assertThat(memory != null).as("%s", kind).isEqualTo(kind == FrameKind.RAM);
                }
            }
        }
    }

    @Test
    void framesOfAFreedExtentHaveNoPinsToShare() throws Exception {
        table.freeAll(OWNER);

        assertThat(table.duplicatePins(low)).isNull();
    }

    @Test
    void afterItsEndADomainHasNoFrames() {
        pins.close();

        assertThat(change(true, false, run(low, 0, 1))).isEqualTo(VerbsStatus.EFAULT);
    }
}
