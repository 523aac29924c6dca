package io.hyperverbs.launcher.capture;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.hyperverbs.vmm.capture.CaptureRecordLayout;
import io.hyperverbs.vmm.capture.CaptureRecordLayout.Field;
import java.lang.foreign.MemorySegment;

/**
 * A record of {@link CaptureRecordLayout}, in memory of its own.
 *
 * @param memory header and bytes
 */
record CaptureRecord(MemorySegment memory) {
    int kind() {
        return get(Field.KIND);
    }

    /** CLOCK_MONOTONIC, in nanoseconds. */
    long timeNanos() {
        return CaptureRecordLayout.timeNanos(memory, 0);
    }

    int get(Field field) {
        return CaptureRecordLayout.get(memory, 0, field);
    }

    /** What was captured. */
    byte[] bytes() {
        return memory.asSlice(CaptureRecordLayout.SIZE_BYTES, get(Field.CAPTURED_BYTES))
                .toArray(JAVA_BYTE);
    }

    long sizeBytes() {
        return memory.byteSize();
    }
}
