package io.hyperverbs.backend.forwarded;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.layout.Doorbell;
import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.hca.layout.QueueIndexes;
import io.hyperverbs.hca.layout.UarLayout;
import io.hyperverbs.verbs.VerbsStatus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ForwardedQpTest {
    private static final QueueGeometry GEOMETRY = QueueGeometry.of(4, 2, 1, 1, 16);
    private static final long RINGS = 8192;
    private static final int SLOT = 70;

    private final MemorySegment machine = Arena.ofAuto().allocate(1 << 16, 4096);
    private final ForwardedQp qp =
            new ForwardedQp(machine, RINGS, GEOMETRY, new Doorbell(machine, 0, machine, 4096, () -> {}), SLOT);

    @Test
    void copiesEntriesPublishesAndRings() {
        VerbsStatus status = qp.postSend(2, entries(2, GEOMETRY.sendStrideBytes(), 1));

        assertThat(status).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(QueueIndexes.sendProducerAcquire(machine, RINGS)).isEqualTo(2);
        assertThat(byteAt(GEOMETRY.sendSlot(0))).isEqualTo((byte) 1);
        assertThat(byteAt(GEOMETRY.sendSlot(1))).isEqualTo((byte) 2);
        assertThat(UarLayout.takeWord(machine, 0, SLOT >>> 6)).isEqualTo(1L << (SLOT & 63));
    }

    @Test
    void wrapsAroundTheRing() {
        qp.postSend(3, entries(3, GEOMETRY.sendStrideBytes(), 1));

        qp.postSend(3, entries(3, GEOMETRY.sendStrideBytes(), 11));

        assertThat(byteAt(GEOMETRY.sendSlot(3))).isEqualTo((byte) 11);
        assertThat(byteAt(GEOMETRY.sendSlot(0))).isEqualTo((byte) 12);
        assertThat(byteAt(GEOMETRY.sendSlot(2))).isEqualTo((byte) 3);
        assertThat(QueueIndexes.sendProducerAcquire(machine, RINGS)).isEqualTo(6);
    }

    @Test
    void refusesWhatIsNotExactlyStridesOrDoesNotFit() {
        int stride = GEOMETRY.sendStrideBytes();
        MemorySegment before = Arena.ofAuto().allocate(1 << 16).copyFrom(machine);

        assertThat(qp.postSend(0, entries(0, stride, 1))).isEqualTo(VerbsStatus.EINVAL);
        assertThat(qp.postSend(-1, entries(1, stride, 1))).isEqualTo(VerbsStatus.EINVAL);
        assertThat(qp.postSend(2, entries(1, stride, 1))).isEqualTo(VerbsStatus.EINVAL);
        assertThat(qp.postSend(1, ByteBuffer.allocate(stride + 1))).isEqualTo(VerbsStatus.EINVAL);
        assertThat(qp.postSend(5, entries(5, stride, 1))).isEqualTo(VerbsStatus.EINVAL);
        assertThat(qp.postSend(Integer.MAX_VALUE, entries(1, stride, 1))).isEqualTo(VerbsStatus.EINVAL);
        assertThat(qp.postReceive(3, entries(3, GEOMETRY.receiveStrideBytes(), 1)))
                .isEqualTo(VerbsStatus.EINVAL);

        assertThat(machine.mismatch(before)).isEqualTo(-1);
    }

    @Test
    void startsAnewAfterReset() {
        qp.postSend(3, entries(3, GEOMETRY.sendStrideBytes(), 1));
        qp.postReceive(1, entries(1, GEOMETRY.receiveStrideBytes(), 1));

        qp.reset();

        assertThat(QueueIndexes.sendProducerAcquire(machine, RINGS)).isZero();
        assertThat(QueueIndexes.receiveProducerAcquire(machine, RINGS)).isZero();
        qp.postSend(1, entries(1, GEOMETRY.sendStrideBytes(), 9));
        assertThat(byteAt(GEOMETRY.sendSlot(0))).isEqualTo((byte) 9);
    }

    @Test
    void takesNothingOnceClosed() {
        qp.close();

        assertThat(qp.postSend(1, entries(1, GEOMETRY.sendStrideBytes(), 1))).isEqualTo(VerbsStatus.EINVAL);
    }

    private byte byteAt(long offset) {
        return machine.get(ValueLayout.JAVA_BYTE, RINGS + offset);
    }

    static ByteBuffer entries(int count, int strideBytes, int firstFill) {
        byte[] bytes = new byte[count * strideBytes];
        for (int i = 0; i < count; i++) {
            Arrays.fill(bytes, i * strideBytes, (i + 1) * strideBytes, (byte) (firstFill + i));
        }
        return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    }
}
