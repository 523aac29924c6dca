package io.hyperverbs.backend.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.backend.journal.JournalRecord.Phase;
import io.hyperverbs.backend.testing.WrittenRecords;
import io.hyperverbs.verbs.VerbsStatus;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a reader says of segments that were written one by one. */
class JournalReaderTest {
    private static final long TIME = 1_000_000;

    @TempDir
    Path state;

    private long written;
    private byte[] link = JournalFrame.firstLink();

    private Path segment(int number) {
        return JournalFolder.segment(state.resolve(JournalFile.FOLDER), number);
    }

    private void write(int number, byte[]... frames) throws Exception {
        try (Segment segment = Segment.create(segment(number), TIME)) {
            for (byte[] frame : frames) {
                segment.write(frame);
            }
        }
    }

    private byte[] frame(JournalRecord record) {
        byte[] frame = JournalFrame.encode(record, ++written, link);
        link = JournalFrame.linkOf(frame);
        return frame;
    }

    private byte[] begun(long unrecorded) {
        return frame(JournalRecord.begun(TIME, link, unrecorded));
    }

    private byte[] intent() {
        return frame(
                new JournalRecord(TIME, 1, "guest", written + 1, Phase.INTENT, "reg_mr", "", VerbsStatus.SUCCESS, 0));
    }

    private List<Phase> read() throws Exception {
        return WrittenRecords.of(state).stream().map(JournalRecord::phase).toList();
    }

    @Test
    void beginningsAreShownIfTheySaySomething() throws Exception {
        write(1, begun(0), intent());
        write(2, begun(3), intent());

        assertThat(read()).containsExactly(Phase.INTENT, Phase.BEGUN, Phase.INTENT);
    }

    @Test
    void foldersWithoutAFileAreNoSegments() throws Exception {
        write(1, begun(0), intent());
        Files.createDirectories(segment(2));
        write(3, begun(0), intent());

        assertThat(read()).containsExactly(Phase.INTENT, Phase.INTENT);
    }

    @Test
    void bytesThatTheLaterSegmentGoesOnBehindWereDropped() throws Exception {
        write(1, begun(0), intent(), new byte[50]);
        write(2, begun(0), intent());

        assertThat(read()).containsExactly(Phase.INTENT, Phase.INTENT);
    }

    @Test
    void bytesThatNothingGoesOnBehindAreDamage() throws Exception {
        write(1, begun(0), intent(), new byte[50]);

        expectDamage(3);
    }

    @Test
    void aLaterSegmentThatDoesNotFollowIsDamage() throws Exception {
        write(1, begun(0), intent());
        link = JournalFrame.firstLink();
        write(2, begun(0));

        expectDamage(3);
    }

    @Test
    void aLaterSegmentThatBeginsWithNoRecordIsDamage() throws Exception {
        write(1, begun(0), intent());
        write(2, new byte[50]);

        expectDamage(3);
    }

    @Test
    void recordsOfAnotherFormatAreRefusedInWords() throws Exception {
        byte[] former = JournalFrameTest.ofFormat('1', intent());
        write(1, former);

        assertThatThrownBy(this::read)
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("the journal is of format 1, and this program's is 2");
        assertThatThrownBy(() -> Journal.open(state, Clock.systemUTC()))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("format 1");
    }

    private void expectDamage(int record) {
        assertThatThrownBy(this::read)
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("record " + record + " of the journal is damaged");
    }

    @Test
    void whatWasNeverReadIsClosedAlike() throws Exception {
        write(1, begun(0));

        JournalReader.open(state).close();

        assertThat(read()).isEmpty();
    }

    @Test
    void aBeginningThatSaysNoLinkHasNone() {
        JournalRecord begun = JournalRecord.begun(TIME, JournalFrame.firstLink(), 0);
        assertThat(begun.linkBefore()).isEqualTo(JournalFrame.firstLink());

        for (String words : List.of("", "link=", "link=zz", "link=00")) {
            assertThat(said(begun, Phase.BEGUN, words).linkBefore()).as(words).isNull();
        }
        assertThat(said(begun, Phase.INTENT, begun.words()).linkBefore()).isNull();
    }

    private static JournalRecord said(JournalRecord like, Phase phase, String arguments) {
        return new JournalRecord(
                like.timeMicros(),
                like.domain(),
                like.domainName(),
                like.requestId(),
                phase,
                like.verb(),
                arguments,
                like.status(),
                like.suppressed());
    }
}
