package io.hyperverbs.backend.forwarded;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.layout.SrqGeometry;
import io.hyperverbs.hca.layout.SrqRingLayout;
import io.hyperverbs.verbs.VerbsStatus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
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
        VerbsStatus status = srq.post(2, entries(2, 1));

        assertThat(status).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(SrqRingLayout.producerIndexAcquire(machine, RING)).isEqualTo(2);
        assertThat(byteAt(RING + GEOMETRY.slot(0))).isEqualTo((byte) 1);
        assertThat(byteAt(RING + GEOMETRY.slot(1))).isEqualTo((byte) 2);
    }

    @Test
    void refusesWhatIsNotExactlyStridesOrDoesNotFit() {
        MemorySegment before = Arena.ofAuto().allocate(1 << 16).copyFrom(machine);

        assertThat(srq.post(0, entries(0, 1))).isEqualTo(VerbsStatus.EINVAL);
        assertThat(srq.post(-1, entries(1, 1))).isEqualTo(VerbsStatus.EINVAL);
        assertThat(srq.post(2, entries(1, 1))).isEqualTo(VerbsStatus.EINVAL);
        assertThat(srq.post(1, ByteBuffer.allocate(STRIDE + 1))).isEqualTo(VerbsStatus.EINVAL);
        assertThat(srq.post(5, entries(5, 1))).isEqualTo(VerbsStatus.EINVAL);
        assertThat(srq.post(Integer.MAX_VALUE, entries(1, 1))).isEqualTo(VerbsStatus.EINVAL);

        assertThat(machine.mismatch(before)).isEqualTo(-1);
    }

    @Test
    void takesWhatIsPostedToTheNewRing() {
        SrqGeometry larger = SrqGeometry.of(8, 1);
        srq.post(4, entries(4, 1));
        SrqRingLayout.headIndexRelease(machine, RING, 1);
        srq.post(1, entries(1, 9));

        VerbsStatus status = srq.resize(NEW_RING, larger, () -> VerbsStatus.SUCCESS);
        srq.post(1, entries(1, 10));

        assertThat(status).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(byteAt(NEW_RING + larger.slot(1))).isEqualTo((byte) 2);
        assertThat(byteAt(NEW_RING + larger.slot(4))).isEqualTo((byte) 9);
        assertThat(byteAt(NEW_RING + larger.slot(5))).isEqualTo((byte) 10);
        assertThat(SrqRingLayout.producerIndexAcquire(machine, NEW_RING)).isEqualTo(6);
        assertThat(SrqRingLayout.headIndexAcquire(machine, NEW_RING)).isEqualTo(1);
    }

    @Test
    void refusesARingSmallerThanWhatIsPosted() {
        srq.post(3, entries(3, 1));

        VerbsStatus status = srq.resize(NEW_RING, SrqGeometry.of(2, 1), () -> {
            throw new AssertionError("the HCA was asked");
        });

        assertThat(status).isEqualTo(VerbsStatus.EINVAL);
        assertThat(byteAt(NEW_RING + GEOMETRY.slot(0))).isZero();
    }

    @Test
    void staysInItsRingWhenTheHcaRefuses() {
        VerbsStatus status = srq.resize(NEW_RING, SrqGeometry.of(8, 1), () -> VerbsStatus.ETIMEDOUT);
        srq.post(1, entries(1, 7));

        assertThat(status).isEqualTo(VerbsStatus.ETIMEDOUT);
        assertThat(SrqRingLayout.producerIndexAcquire(machine, RING)).isEqualTo(1);
        assertThat(SrqRingLayout.producerIndexAcquire(machine, NEW_RING)).isZero();
    }

    @Test
    void takesNothingOnceClosed() {
        srq.close();

        assertThat(srq.post(1, entries(1, 1))).isEqualTo(VerbsStatus.EINVAL);
    }

    private byte byteAt(long address) {
        return machine.get(ValueLayout.JAVA_BYTE, address);
    }

    private static ByteBuffer entries(int count, int firstFill) {
        byte[] bytes = new byte[count * STRIDE];
        for (int i = 0; i < count; i++) {
            Arrays.fill(bytes, i * STRIDE, (i + 1) * STRIDE, (byte) (firstFill + i));
        }
        return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    }
}
