package io.hyperverbs.launcher.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.launcher.capture.CaptureMerge.Merged;
import io.hyperverbs.vmm.capture.CaptureRecordLayout;
import io.hyperverbs.vmm.capture.CaptureRecordLayout.Field;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CaptureMergeTest {
    private final CaptureMerge merge = new CaptureMerge(2);

    private static CaptureRecord record(long nanos) {
        MemorySegment memory = Arena.ofAuto().allocate(CaptureRecordLayout.SIZE_BYTES, 8);
        CaptureRecordLayout.set(memory, 0, Field.RECORD_BYTES, CaptureRecordLayout.SIZE_BYTES);
        CaptureRecordLayout.set(memory, 0, Field.KIND, CaptureRecordLayout.PACKET);
        CaptureRecordLayout.timeNanos(memory, 0, nanos);
        return new CaptureRecord(memory);
    }

    private List<Long> takeAll() throws InterruptedException {
        List<Long> times = new ArrayList<>();
        for (Merged next = merge.take(0); next != null; next = merge.take(0)) {
            times.add(next.record().timeNanos());
        }
        return times;
    }

    @Test
    void aRecordWaitsUntilNoStreamCanHaveAnEarlierOne() throws InterruptedException {
        merge.add(0, List.of(record(10), record(30)), 0);
        assertThat(takeAll()).isEmpty();

        merge.add(1, List.of(record(20)), 0);
        assertThat(takeAll()).containsExactly(10L, 20L);

        merge.add(1, List.of(), 29);
        assertThat(takeAll()).isEmpty();
        merge.add(1, List.of(), 30);
        assertThat(takeAll()).containsExactly(30L);
    }

    @Test
    void aStreamThatHasEndedHoldsNothingBack() throws InterruptedException {
        merge.add(0, List.of(record(10)), 0);
        merge.end(1);

        assertThat(merge.isOver()).isFalse();
        assertThat(takeAll()).containsExactly(10L);
        assertThat(merge.isOver()).isFalse();
        merge.end(0);
        assertThat(merge.isOver()).isTrue();
    }

    @Test
    void whatIsLaterThanTheEndIsLeftOut() throws InterruptedException {
        merge.add(0, List.of(record(10), record(30)), 0);
        merge.endAt(20);
        assertThat(merge.isOver()).isFalse();

        merge.add(1, List.of(), 25);

        assertThat(takeAll()).containsExactly(10L);
        assertThat(merge.isOver()).isTrue();
    }

    @Test
    void recordsAreCutOutOfChunksWhereverTheseEnd() {
        byte[] bytes = new byte[3 * CaptureRecordLayout.SIZE_BYTES];
        for (int i = 0; i < 3; i++) {
            MemorySegment.copy(
                    record(i).memory(),
                    ValueLayout.JAVA_BYTE,
                    0,
                    bytes,
                    i * CaptureRecordLayout.SIZE_BYTES,
                    CaptureRecordLayout.SIZE_BYTES);
        }
        RecordStream stream = new RecordStream();
        List<Long> times = new ArrayList<>();
        for (byte one : bytes) {
            stream.add(new byte[] {one}).forEach(record -> times.add(record.timeNanos()));
        }

        assertThat(times).containsExactly(0L, 1L, 2L);
        assertThatThrownBy(() -> stream.add(new byte[8])).hasMessage("a record of 0 bytes");
    }
}
