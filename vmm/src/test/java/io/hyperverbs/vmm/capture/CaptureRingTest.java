package io.hyperverbs.vmm.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.vmm.capture.CaptureRecordLayout.Field;
import io.hyperverbs.vmm.posix.Fd;
import io.hyperverbs.vmm.posix.MemoryMap;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CaptureRingTest {
    private static final int CAPACITY = 4096;
    private static final int MOST = 1 << 20;

    private final Arena arena = Arena.ofShared();
    private CaptureRingReader reader;
    private CaptureRingWriter writer;

    @BeforeEach
    void makeRing() throws Exception {
        reader = CaptureRingReader.create(CAPACITY);
        try (Fd fd = reader.descriptor()) {
            writer = new CaptureRingWriter(MemoryMap.map(fd, reader.sizeBytes(), false, arena));
        }
    }

    @AfterEach
    void closeRing() {
        arena.close();
        reader.close();
    }

    private boolean write(int value, int bytes) {
        long at = writer.begin(CaptureRecordLayout.PACKET, bytes);
        if (at == CaptureRingWriter.FULL) {
            return false;
        }
        CaptureRecordLayout.set(writer.memory(), at, Field.PORT, value);
        for (int i = 0; i < bytes; i++) {
            writer.memory().set(ValueLayout.JAVA_BYTE, at + CaptureRecordLayout.SIZE_BYTES + i, (byte) value);
        }
        writer.end();
        return true;
    }

    /** Ports of the records in there. */
    private static List<Integer> ports(byte[] bytes) {
        MemorySegment memory = MemorySegment.ofArray(bytes);
        List<Integer> ports = new ArrayList<>();
        int record;
        for (int at = 0; at < bytes.length; at += record) {
            record = CaptureRecordLayout.get(memory, at, Field.RECORD_BYTES);
            if (CaptureRecordLayout.get(memory, at, Field.KIND) == CaptureRecordLayout.PACKET) {
                ports.add(CaptureRecordLayout.get(memory, at, Field.PORT));
            }
        }
        return ports;
    }

    private byte[] readAll(int most) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part = reader.read(most); part.length > 0; part = reader.read(most)) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    @Test
    void laysARecordOutByteByByte() {
        long at = writer.begin(CaptureRecordLayout.PACKET, 3);
        MemorySegment memory = writer.memory();
        CaptureRecordLayout.timeNanos(memory, at, 0x0102_0304_0506_0708L);
        int value = 0x11;
        for (Field field : List.of(
                Field.PORT,
                Field.FATE,
                Field.SOURCE_ADDRESS,
                Field.DESTINATION_ADDRESS,
                Field.SOURCE_PORT,
                Field.IDENTIFICATION,
                Field.TRAFFIC_CLASS,
                Field.LENGTH_BYTES)) {
            CaptureRecordLayout.set(memory, at, field, value++);
        }
        memory.set(ValueLayout.JAVA_BYTE, at + CaptureRecordLayout.SIZE_BYTES, (byte) 0xaa);

        assertThat(readAll(MOST)).as("before it is published").isEmpty();
        writer.end();

        assertThat(HexFormat.of().formatHex(readAll(MOST)))
                .isEqualTo("4000000001000000" + "0807060504030201" + "1100000012000000" + "1300000014000000"
                        + "1500000016000000" + "1700000018000000" + "0300000000000000" + "aa00000000000000");
    }

    @Test
    void bringsRecordsAroundTheEndOfTheRing() {
        List<Integer> written = new ArrayList<>();
        List<Integer> read = new ArrayList<>();
        for (int i = 1; i < 500; i++) {
            assertThat(write(i, i % 300)).isTrue();
            written.add(i);
            if (i % 3 == 0) {
                read.addAll(ports(readAll(MOST)));
            }
        }

        assertThat(read).isEqualTo(written.subList(0, read.size())).hasSize(498);
        assertThat(reader.dropped()).isZero();
    }

    @Test
    void readsInPartsThatNeedNotEndWithARecord() {
        assertThat(write(1, 100)).isTrue();
        assertThat(write(2, 100)).isTrue();

        assertThat(ports(readAll(7))).containsExactly(1, 2);
    }

    @Test
    void dropsAndCountsWhatFindsNoRoom() {
        int taken = 0;
        while (write(taken, 100)) {
            taken++;
        }
        assertThat(write(-1, 100)).isFalse();

        assertThat(reader.dropped()).isEqualTo(2);
        assertThat(ports(readAll(MOST))).hasSize(taken).doesNotContain(-1);
        assertThat(write(7, 100)).isTrue();
        assertThat(ports(readAll(MOST))).containsExactly(7);
        assertThat(reader.dropped()).isEqualTo(2);
    }

    @Test
    void neverTakesARecordThatIsLongerThanTheRing() {
        assertThat(write(1, CAPACITY)).isFalse();
        assertThat(reader.dropped()).isEqualTo(1);
    }

    @Test
    void refusesMemoryThatIsNoRing() {
        assertThatThrownBy(() -> new CaptureRingWriter(arena.allocate(2 * CAPACITY, 8)))
                .hasMessageContaining("no ring");
    }

    @Test
    void refusesAWriterThatDoesNotKeepToTheLayout() {
        CaptureRingLayout.publishWrittenRelease(writer.memory(), CAPACITY + 8);

        assertThatThrownBy(() -> reader.read(MOST)).hasMessageContaining("4104 bytes in a ring of 4096");
    }
}
