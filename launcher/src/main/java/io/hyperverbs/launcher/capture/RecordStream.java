package io.hyperverbs.launcher.capture;

import io.hyperverbs.vmm.capture.CaptureRecordLayout;
import io.hyperverbs.vmm.capture.CaptureRecordLayout.Field;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Cuts what comes in chunks into records. One thread. */
final class RecordStream {
    private static final int LEAST_BYTES = 8;

    private byte[] left = new byte[0];

    /**
     * The records that are whole now.
     *
     * @throws IllegalArgumentException for bytes that are no records
     */
    List<CaptureRecord> add(byte[] chunk) {
        byte[] bytes = chunk;
        if (left.length > 0) {
            bytes = Arrays.copyOf(left, left.length + chunk.length);
            System.arraycopy(chunk, 0, bytes, left.length, chunk.length);
        }
        MemorySegment memory = MemorySegment.ofArray(bytes);
        List<CaptureRecord> records = new ArrayList<>();
        int at = 0;
        while (bytes.length - at >= LEAST_BYTES) {
            int length = CaptureRecordLayout.get(memory, at, Field.RECORD_BYTES);
            if (length < LEAST_BYTES) {
                throw new IllegalArgumentException("a record of " + length + " bytes");
            }
            if (length > bytes.length - at) {
                break;
            }
            if (CaptureRecordLayout.get(memory, at, Field.KIND) != CaptureRecordLayout.PADDING) {
                records.add(new CaptureRecord(memory.asSlice(at, length)));
            }
            at += length;
        }
        left = Arrays.copyOfRange(bytes, at, bytes.length);
        return records;
    }
}
