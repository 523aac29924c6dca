package io.hyperverbs.backend.forwarded;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.layout.SrqGeometry;
import io.hyperverbs.hca.layout.SrqRingLayout;
import io.hyperverbs.verbs.VerbsStatus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class StagedSrqTest {
    private static final SrqGeometry GEOMETRY = SrqGeometry.of(4, 1);
    private static final int STRIDE = GEOMETRY.strideBytes();
    private static final long RING = 8192;
    private static final long NEW_RING = 16384;

    private final MemorySegment machine = Arena.ofAuto().allocate(1 << 16, 4096);
    private final StagedSrq srq = new StagedSrq(machine, RING, GEOMETRY);

    @Test
    void copiesEntriesAndPublishes() {
        VerbsStatus status = srq.post(2, ForwardedQpTest.entries(2, STRIDE, 1));

        assertThat(status).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(SrqRingLayout.producerIndexAcquire(machine, RING)).isEqualTo(2);
        assertThat(byteAt(RING + GEOMETRY.slot(0))).isEqualTo((byte) 1);
        assertThat(byteAt(RING + GEOMETRY.slot(1))).isEqualTo((byte) 2);
    }

    @Test
    void refusesWhatIsNotExactlyStridesOrDoesNotFit() {
        MemorySegment before = Arena.ofAuto().allocate(1 << 16).copyFrom(machine);

        assertThat(srq.post(0, ForwardedQpTest.entries(0, STRIDE, 1))).isEqualTo(VerbsStatus.EINVAL);
        assertThat(srq.post(-1, ForwardedQpTest.entries(1, STRIDE, 1))).isEqualTo(VerbsStatus.EINVAL);
        assertThat(srq.post(2, ForwardedQpTest.entries(1, STRIDE, 1))).isEqualTo(VerbsStatus.EINVAL);
        assertThat(srq.post(1, ByteBuffer.allocate(STRIDE + 1))).isEqualTo(VerbsStatus.EINVAL);
        assertThat(srq.post(5, ForwardedQpTest.entries(5, STRIDE, 1))).isEqualTo(VerbsStatus.EINVAL);
        assertThat(srq.post(Integer.MAX_VALUE, ForwardedQpTest.entries(1, STRIDE, 1)))
                .isEqualTo(VerbsStatus.EINVAL);

        assertThat(machine.mismatch(before)).isEqualTo(-1);
    }

    @Test
    void takesWhatIsPostedToTheNewRing() {
        SrqGeometry larger = SrqGeometry.of(8, 1);
        srq.post(4, ForwardedQpTest.entries(4, STRIDE, 1));
        SrqRingLayout.headIndexRelease(machine, RING, 1);
        srq.post(1, ForwardedQpTest.entries(1, STRIDE, 9));

        VerbsStatus status = srq.resize(NEW_RING, larger, () -> VerbsStatus.SUCCESS);
        srq.post(1, ForwardedQpTest.entries(1, STRIDE, 10));

        assertThat(status).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(byteAt(NEW_RING + larger.slot(1))).isEqualTo((byte) 2);
        assertThat(byteAt(NEW_RING + larger.slot(4))).isEqualTo((byte) 9);
        assertThat(byteAt(NEW_RING + larger.slot(5))).isEqualTo((byte) 10);
        assertThat(SrqRingLayout.producerIndexAcquire(machine, NEW_RING)).isEqualTo(6);
        assertThat(SrqRingLayout.headIndexAcquire(machine, NEW_RING)).isEqualTo(1);
    }

    @Test
    void refusesARingSmallerThanWhatIsPosted() {
        srq.post(3, ForwardedQpTest.entries(3, STRIDE, 1));

        VerbsStatus status = srq.resize(NEW_RING, SrqGeometry.of(2, 1), () -> {
            throw new AssertionError("the HCA was asked");
        });

        assertThat(status).isEqualTo(VerbsStatus.EINVAL);
        assertThat(byteAt(NEW_RING + GEOMETRY.slot(0))).isZero();
    }

    @Test
    void staysInItsRingWhenTheHcaRefuses() {
        VerbsStatus status = srq.resize(NEW_RING, SrqGeometry.of(8, 1), () -> VerbsStatus.ETIMEDOUT);
        srq.post(1, ForwardedQpTest.entries(1, STRIDE, 7));

        assertThat(status).isEqualTo(VerbsStatus.ETIMEDOUT);
        assertThat(SrqRingLayout.producerIndexAcquire(machine, RING)).isEqualTo(1);
        assertThat(SrqRingLayout.producerIndexAcquire(machine, NEW_RING)).isZero();
    }

    @Test
    void takesNothingOnceClosed() {
        srq.close();

        assertThat(srq.post(1, ForwardedQpTest.entries(1, STRIDE, 1))).isEqualTo(VerbsStatus.EINVAL);
    }

    private byte byteAt(long address) {
        return machine.get(ValueLayout.JAVA_BYTE, address);
    }
}
