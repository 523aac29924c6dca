package io.hyperverbs.backend.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.backend.testing.WrittenRecords;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.vmm.io.ControlRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A journal whose end is torn goes on without its last record; any other damage is told. */
class JournalDamageTest {
    /** Its message does not end with zeroes, which would not be missed. */
    private static final ControlRequest OPEN = new ControlRequest.OpenContext(DataPathKind.FORWARDED);

    private static final int RECORDS = 60;
    private static final int LAST_BYTES = 4096;

    /** Of the bits of those bytes, evenly; {@code -Dflips=32768} for all of them. */
    private static final int FLIPS = Integer.getInteger("flips", 1024);

    @TempDir
    Path state;

    private Path file;
    private byte[] whole;
    private List<JournalRecord> written;
    private int lastFrame;

    @BeforeEach
    void write() throws Exception {
        try (Journal journal = Journal.open(state, Clock.systemUTC())) {
            for (int i = 1; i <= RECORDS; i++) {
                journal.intent(1, "guest", i, OPEN, false);
            }
        }
        try (Stream<Path> files = Files.walk(state.resolve(JournalFile.FOLDER))) {
            file = files.filter(f -> f.toString().endsWith(".cq4")).findFirst().orElseThrow();
        }
        byte[] bytes = Files.readAllBytes(file);
        int end = bytes.length;
        while (bytes[end - 1] == 0) {
            end--;
        }
        whole = Arrays.copyOf(bytes, end + 64);
        written = scan(whole).records;
        assertThat(written).hasSize(RECORDS);
        lastFrame = end;
        while (JournalFrame.decode(whole, lastFrame) == null) {
            lastFrame--;
        }
    }

    private record Scanned(List<JournalRecord> records, String tornAt) {}

    private static Scanned scan(byte[] bytes) throws JournalException {
        List<JournalRecord> records = new ArrayList<>();
        JournalScan scan = new JournalScan(records::add);
        scan.file("file", bytes);
        return new Scanned(records, scan.tornAt());
    }

    private void expectLastDropped(byte[] bytes, String what) throws JournalException {
        Scanned scanned = scan(bytes);

        assertThat(scanned.tornAt).as(what).isNotNull();
        assertThat(scanned.records).as(what).isEqualTo(written.subList(0, RECORDS - 1));
    }

    @Test
    void dropsALastRecordCutAnywhere() throws Exception {
        int end = lastFrame + JournalFrame.decode(whole, lastFrame).lengthBytes();
        // From the head of its document on, which begins four bytes earlier.
        for (int cut = lastFrame - 3; cut < end; cut++) {
            expectLastDropped(Arrays.copyOf(whole, cut), "cut at " + cut);
            byte[] zeroed = whole.clone();
            Arrays.fill(zeroed, cut, zeroed.length, (byte) 0);
            expectLastDropped(zeroed, "zeroes from " + cut);
        }
    }

    @Test
    void believesNoFlippedBitOfItsLastFourKibibytes() throws Exception {
        int dropped = 0;
        int refused = 0;
        int harmless = 0;
        int end = 8 * (whole.length - 64);
        for (int bit = end - 8 * LAST_BYTES; bit < end; bit += 8 * LAST_BYTES / FLIPS) {
            whole[bit / 8] ^= (byte) (1 << bit % 8);
            try {
                Scanned scanned = scan(whole);
                if (scanned.tornAt == null) {
                    // Between two documents, where nothing is.
                    assertThat(scanned.records).as("bit %d", bit).isEqualTo(written);
                    harmless++;
                } else {
                    assertThat(scanned.records).as("bit %d", bit).isEqualTo(written.subList(0, RECORDS - 1));
                    dropped++;
                }
            } catch (JournalException e) {
                assertThat(e).hasMessageContaining("damaged at byte");
                refused++;
            }
            whole[bit / 8] ^= (byte) (1 << bit % 8);
        }

        assertThat(dropped + refused + harmless).isEqualTo(FLIPS);
        assertThat(dropped).isGreaterThan(FLIPS * JournalFrame.HEAD_BYTES / LAST_BYTES);
        assertThat(refused).isGreaterThan(FLIPS / 2);
        assertThat(harmless).isLessThan(FLIPS / 10);
    }

    @Test
    void goesOnBehindTheLastWholeRecord() throws Exception {
        byte[] bytes = Files.readAllBytes(file);
        Arrays.fill(bytes, lastFrame + 20, lastFrame + 60, (byte) 0x5a);
        Files.write(file, bytes);

        try (Journal journal = Journal.open(state, Clock.systemUTC())) {
            journal.intent(1, "guest", 777, OPEN, false);
        }

        List<JournalRecord> now = WrittenRecords.of(state);
        assertThat(now.subList(0, RECORDS - 1)).isEqualTo(written.subList(0, RECORDS - 1));
        assertThat(now.getLast().requestId()).isEqualTo(777);
        assertThat(now).hasSize(RECORDS);
    }

    @Test
    void doesNotOpenWhenItIsDamagedBeforeItsEnd() throws Exception {
        byte[] bytes = Files.readAllBytes(file);
        bytes[lastFrame - 40] ^= 1;
        Files.write(file, bytes);

        assertThatThrownBy(() -> Journal.open(state, Clock.systemUTC()))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining(file.getFileName().toString())
                .hasMessageContaining("damaged at byte")
                .hasMessageContaining("record " + (RECORDS - 1));
        assertThatThrownBy(() -> WrittenRecords.of(state)).hasMessageContaining("damaged");
    }

    /** Somebody who knows the format and its CRC changes one word of one record. */
    @Test
    void showsThatARecordWasWrittenAnew() throws Exception {
        forgeThirtieth(30, JournalFrame.firstLink());

        assertThatThrownBy(() -> scan(whole))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("record 30 is not whole");
        assertThatReaderStopsAtThirty();
    }

    /** All is right about it but its number. */
    @Test
    void showsThatARecordWasTakenOut() throws Exception {
        JournalFrame.Content before = JournalFrame.decode(whole, frame(29));
        forgeThirtieth(31, before.link());

        assertThatReaderStopsAtThirty();
    }

    private int frame(int sequence) {
        int at = 0;
        while (JournalFrame.decode(whole, at) == null
                || JournalFrame.decode(whole, at).sequence() != sequence) {
            at++;
        }
        return at;
    }

    private void forgeThirtieth(int sequence, byte[] linkBefore) {
        JournalRecord record = written.get(29);
        byte[] forged = JournalFrame.encode(
                new JournalRecord(
                        record.timeMicros(),
                        2,
                        record.domainName(),
                        record.requestId(),
                        record.phase(),
                        record.verb(),
                        record.words(),
                        record.status(),
                        record.suppressed(),
                        record.message()),
                sequence,
                linkBefore);
        System.arraycopy(forged, 0, whole, frame(30), forged.length);
    }

    private void assertThatReaderStopsAtThirty() throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        System.arraycopy(whole, 0, bytes, 0, Math.min(whole.length, bytes.length));
        Files.write(file, bytes);
        try (JournalReader reader = JournalReader.open(state)) {
            for (int i = 0; i < 29; i++) {
                assertThat(reader.next()).contains(written.get(i));
            }
            assertThatThrownBy(reader::next)
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("record 30 of the journal is damaged");
        }
    }
}
