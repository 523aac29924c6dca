package io.hyperverbs.backend.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hyperverbs.backend.testing.WrittenRecords;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ObjectKind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The disk of a journal: taken ahead, bounded, kept for what ends while there is no more. */
class JournalSpaceTest {
    private static final ControlRequest OPEN = new ControlRequest.OpenContext(DataPathKind.BYPASS);
    private static final ControlRequest END = new ControlRequest.Destroy(ObjectKind.PD, 7);

    @TempDir
    Path state;

    private final List<Segment> made = new ArrayList<>();
    private boolean full;

    private synchronized Segment make(Path folder, long timeMillis) throws IOException {
        if (full) {
            throw new IOException("No space left on device");
        }
        Segment segment = Segment.create(folder, timeMillis);
        made.add(segment);
        return segment;
    }

    private synchronized void full(boolean now) {
        full = now;
    }

    private synchronized int segmentsMade() {
        return made.size();
    }

    private Journal open(long keepBytes) throws JournalException {
        return Journal.open(state, Clock.systemUTC(), this::make, keepBytes);
    }

    private Path folder() {
        return state.resolve(JournalFile.FOLDER);
    }

    /** Writes until it is refused; the id of the last one that was taken. */
    private static long fill(Journal journal, long firstId, ControlRequest request, boolean ending) {
        long id = firstId;
        try {
            while (id < firstId + 1_000_000) {
                journal.intent(1, "guest", id, request, ending);
                id++;
            }
        } catch (JournalException e) {
            assertThat(e).hasMessage("no room for the journal: No space left on device");
        }
        return id - 1;
    }

    private static boolean takes(Journal journal) {
        try {
            journal.intent(1, "guest", 1, OPEN, false);
            return true;
        } catch (JournalException e) {
            assertThat(e).hasMessage("no room for the journal: No space left on device");
            return false;
        }
    }

    @Test
    void onAFullDiskWhatCreatesIsRefusedAndWhatEndsGoesOn() throws Exception {
        long lastCreated;
        long lastEnded;
        try (Journal journal = open(JournalSpace.KEEP_BYTES)) {
            journal.intent(1, "guest", 0, OPEN, false);
            await().until(() -> segmentsMade() == 2);
            full(true);

            lastCreated = fill(journal, 1, OPEN, false);
            assertThat(fill(journal, 5_000_000, OPEN, false)).isEqualTo(4_999_999);
            lastEnded = fill(journal, 10_000_000, END, true);
            journal.unrecorded();
            journal.unrecorded();

            assertThat(lastEnded).isGreaterThan(10_000_000 + 2_000);
            full(false);
            await().until(() -> takes(journal));
        }

        List<JournalRecord> records = WrittenRecords.of(state);

        List<Long> ids = records.stream()
                .filter(record -> record.phase() == JournalRecord.Phase.INTENT)
                .map(JournalRecord::requestId)
                .toList();
        assertThat(ids).hasSize((int) (lastCreated + 1 + lastEnded - 10_000_000 + 1 + 1));
        JournalRecord begun = records.get(records.size() - 2);
        assertThat(begun.phase()).isEqualTo(JournalRecord.Phase.BEGUN);
        assertThat(begun.suppressed()).isEqualTo(2);
    }

    @Test
    void startsOnAFullDiskAndTakesRecordsWhenThereIsRoom() throws Exception {
        full(true);
        try (Journal journal = open(JournalSpace.KEEP_BYTES)) {
            await().until(() -> fill(journal, 1, OPEN, false) == 0);

            full(false);
            await().until(() -> takes(journal));
        }
        assertThat(WrittenRecords.of(state)).hasSize(1);
    }

    @Test
    void theOldestGoAndTheRestIsReadAndGoneOnFrom() throws Exception {
        long id = 0;
        try (Journal journal = open(2L * Segment.BYTES)) {
            while (segmentsMade() < 6) {
                journal.intent(1, "guest", ++id, OPEN, false);
            }
            // Two that are kept, and the one made ahead.
            await().until(() -> JournalFolder.segments(folder()).size() <= 3);
        }
        List<JournalRecord> kept = WrittenRecords.of(state);
        try (Journal journal = open(2L * Segment.BYTES)) {
            journal.intent(1, "guest", ++id, OPEN, false);
        }
        List<JournalRecord> after = WrittenRecords.of(state);

        JournalRecord begun = kept.getFirst();
        assertThat(begun.phase()).isEqualTo(JournalRecord.Phase.BEGUN);
        assertThat(kept.getLast().requestId()).isEqualTo(id - 1);
        long first = kept.get(1).requestId();
        assertThat(first).isGreaterThan(1);
        assertThat(kept.subList(1, kept.size()))
                .extracting(JournalRecord::requestId)
                .hasSize((int) (id - first))
                .isSorted();
        assertThat(after.getLast().requestId()).isEqualTo(id);
    }

    @Test
    void readerGoesOnFromSegmentToSegment() throws Exception {
        try (Journal journal = open(JournalSpace.KEEP_BYTES)) {
            journal.intent(1, "guest", 1, OPEN, false);
            try (JournalReader reader = JournalReader.open(state)) {
                long id = 1;
                long read = 0;
                while (segmentsMade() < 4) {
                    journal.intent(1, "guest", ++id, OPEN, false);
                    if (id % 1000 == 0) {
                        for (JournalRecord record : WrittenRecords.rest(reader)) {
                            assertThat(record.requestId()).isEqualTo(++read);
                        }
                        assertThat(read).isEqualTo(id);
                    }
                }
            }
        }
    }

    /** As a fault in its mapped memory would be: an Error, or whatever else comes out of it. */
    @Test
    void goesOnInTheNextSegmentAfterAWriteFailed() throws Exception {
        try (Journal journal = open(JournalSpace.KEEP_BYTES)) {
            journal.intent(1, "guest", 1, OPEN, false);
            await().until(() -> segmentsMade() == 2);
            made.getFirst().close();

            assertThatThrownBy(() -> journal.intent(1, "guest", 2, OPEN, false))
                    .isInstanceOf(JournalException.class)
                    .hasMessageContaining("record not written");
            journal.intent(1, "guest", 3, OPEN, false);
        }

        assertThat(WrittenRecords.of(state))
                .extracting(JournalRecord::requestId)
                .containsExactly(1L, 3L);
        assertThat(JournalScan.of(folder(), _ -> {}).tornAt()).isNull();
    }

    @Test
    void keepsNoSegmentThatNothingWasWrittenTo() throws Exception {
        open(JournalSpace.KEEP_BYTES).close();

        assertThat(JournalFolder.segments(folder())).isEmpty();
    }
}
