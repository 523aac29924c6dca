package io.hyperverbs.backend.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.verbs.VerbsStatus;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files written document by document: what counts as a record, a torn end and damage. */
class JournalScanTest {
    private static final int INCOMPLETE = 1 << 31;
    private static final int METADATA = 1 << 30;
    private static final int END_OF_DAY = INCOMPLETE | METADATA;

    private final List<JournalRecord> found = new ArrayList<>();
    private final JournalScan scan = new JournalScan(found::add);
    private final Pen pen = new Pen();
    private long written;
    private byte[] link = JournalFrame.firstLink();

    /** Documents one behind the other, heads and padding as Chronicle Queue writes them. */
    private static final class Pen {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        Pen word(int word) {
            out.writeBytes(ByteBuffer.allocate(4)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putInt(word)
                    .array());
            return this;
        }

        Pen document(int flags, byte[] content) {
            word(content.length | flags);
            return raw(Arrays.copyOf(content, (content.length + 3) & ~3));
        }

        Pen raw(byte[] bytes) {
            out.writeBytes(bytes);
            return this;
        }

        byte[] file() {
            byte[] file = out.toByteArray();
            out.reset();
            return file;
        }
    }

    private static JournalRecord record(long request, String arguments) {
        return new JournalRecord(
                7, 1, "guest", request, JournalRecord.Phase.INTENT, "reg_mr", arguments, VerbsStatus.SUCCESS, 0);
    }

    private byte[] next(String arguments) {
        byte[] frame = JournalFrame.encode(record(++written, arguments), written, link);
        link = JournalFrame.linkOf(frame);
        return frame;
    }

    private void write(int records) {
        for (int i = 0; i < records; i++) {
            pen.document(0, next("pd=1"));
        }
    }

    private void scan(byte[] file) throws JournalException {
        scan.file("file", file);
    }

    private void expect(int records, String tornAt) {
        assertThat(scan.count()).isEqualTo(records);
        assertThat(found).extracting(JournalRecord::requestId).hasSize(records);
        for (int i = 0; i < records; i++) {
            assertThat(found.get(i).requestId()).isEqualTo(i + 1);
        }
        assertThat(scan.tornAt()).isEqualTo(tornAt);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 4, 5, 100})
    void zeroesAreAnEmptyJournal(int length) throws JournalException {
        scan(new byte[length]);

        expect(0, null);
        assertThat(scan.link()).isEqualTo(JournalFrame.firstLink());
    }

    @Test
    void recordsGoOnBehindTheEndOfADayInTheNextFile() throws JournalException {
        pen.document(METADATA, new byte[] {1, 2, 3, 4, 5});
        write(2);
        scan(pen.word(END_OF_DAY).raw(new byte[64]).file());
        write(1);
        scan(pen.file());

        expect(3, null);
        assertThat(scan.link()).isEqualTo(link);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void recordsOfAnyLengthAreWholeAtTheEndOfAFile(int letters) throws JournalException {
        byte[] frame = next("x".repeat(letters));
        scan(pen.word(frame.length).raw(frame).file());

        expect(1, null);
    }

    @Test
    void metadataOfNoBytesIsWholeAtTheEndOfAFile() throws JournalException {
        write(1);
        scan(pen.document(METADATA, new byte[0]).file());

        expect(1, null);
    }

    @Test
    void bytesBehindTheEndAreATornTail() throws JournalException {
        write(2);
        int end = pen.out.size();
        scan(pen.word(0).word(5).file());

        expect(2, "file, byte " + end);
    }

    @Test
    void bytesBehindTheEndOfADayAreATornTail() throws JournalException {
        write(1);
        int end = pen.out.size();
        scan(pen.word(END_OF_DAY).word(0xc0).file());

        expect(1, "file, byte " + end);
    }

    @ParameterizedTest
    @CsvSource({"-2147483648", "-2147483548", "100", "1073741823", "1073741829", "-1"})
    void aDocumentThatIsNotWholeIsATornTail(int head) throws JournalException {
        write(1);
        int end = pen.out.size();
        scan(pen.word(head).raw(new byte[] {1, 2, 3, 4}).file());

        expect(1, "file, byte " + end);
    }

    @Test
    void aRecordInADocumentOfAnotherLengthIsNone() throws JournalException {
        write(1);
        int end = pen.out.size();
        byte[] frame = next("pd=1");
        scan(pen.document(0, Arrays.copyOf(frame, frame.length + 1)).file());

        expect(1, "file, byte " + end);
    }

    @Test
    void aRecordThatWasThereBeforeIsNone() throws JournalException {
        byte[] first = next("pd=1");
        int end = pen.document(0, first).out.size();
        scan(pen.document(0, first).file());

        expect(1, "file, byte " + end);
    }

    @Test
    void aRecordOfAnotherChainIsNone() throws JournalException {
        write(1);
        int end = pen.out.size();
        byte[] other = JournalFrame.encode(record(2, "pd=1"), 2, JournalFrame.firstLink());
        scan(pen.document(0, other).file());

        expect(1, "file, byte " + end);
    }

    @Test
    void aLastRecordThatIsCalledMetadataIsNotLostSilently() throws JournalException {
        write(1);
        scan(pen.document(METADATA, next("pd=1")).raw(new byte[64]).file());

        expect(1, "file, record 2");
    }

    @Test
    void anEarlierRecordThatIsCalledMetadataIsDamage() {
        write(1);
        pen.document(METADATA, next("pd=1"));
        write(1);

        assertThatThrownBy(() -> scan(pen.file()))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("record 2 is not whole, and record 3 is");
    }

    @Test
    void aMissingRecordIsDamage() {
        write(1);
        next("pd=1");
        write(1);

        assertThatThrownBy(() -> scan(pen.file()))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("record 2 is not whole, and record 3 is");
    }

    @Test
    void nothingIsBelievedBehindATornEndInAFileBefore() throws JournalException {
        write(1);
        byte[] second = next("pd=1");
        scan(pen.document(0, Arrays.copyOf(second, second.length - 1)).file());
        String tornAt = scan.tornAt();
        assertThat(tornAt).isNotNull();

        scan(pen.document(0, second).file());
        expect(1, tornAt);
        write(1);

        assertThatThrownBy(() -> scan(pen.file()))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("record 2 is not whole, and record 3 is");
    }

    /** As a segment begins: behind what its writer dropped, or behind what is gone. */
    private byte[] begin() {
        JournalRecord begun = JournalRecord.begun(9, link, 0);
        byte[] frame = JournalFrame.encode(begun, ++written, link);
        link = JournalFrame.linkOf(frame);
        return frame;
    }

    @Test
    void segmentGoesOnBehindATornEndThatItsWriterDropped() throws JournalException {
        write(2);
        scan(pen.document(INCOMPLETE, new byte[9]).file());
        assertThat(scan.tornAt()).isNotNull();

        pen.document(METADATA, new byte[8]).document(0, begin());
        write(1);
        scan(pen.file());

        assertThat(scan.tornAt()).isNull();
        assertThat(scan.count()).isEqualTo(4);
        assertThat(found).extracting(JournalRecord::requestId).containsExactly(1L, 2L, 0L, 4L);
    }

    @Test
    void firstSegmentsMayBeGone() throws JournalException {
        next("gone");
        next("gone");
        pen.document(0, begin());
        write(1);
        scan(pen.file());

        assertThat(scan.tornAt()).isNull();
        assertThat(scan.count()).isEqualTo(4);
        assertThat(scan.link()).isEqualTo(link);
        assertThat(found).extracting(JournalRecord::requestId).containsExactly(0L, 4L);
    }

    @Test
    void firstSegmentOfAllBeginsWithTheFirstRecord() throws JournalException {
        pen.document(0, begin());
        write(1);
        scan(pen.file());

        assertThat(scan.tornAt()).isNull();
        assertThat(scan.count()).isEqualTo(2);
    }

    @Test
    void nothingIsBelievedOfASegmentThatBeginsBehindOtherRecords() throws JournalException {
        write(2);
        scan(pen.document(INCOMPLETE, new byte[9]).file());
        link = JournalFrame.firstLink();
        scan(pen.document(METADATA, new byte[8]).document(0, begin()).file());

        assertThat(scan.tornAt()).isNotNull();
        assertThat(scan.count()).isEqualTo(2);
    }

    @Test
    void segmentInTheMiddleMayNotBeGone() throws JournalException {
        write(1);
        scan(pen.file());
        next("gone");
        pen.document(0, begin());

        assertThatThrownBy(() -> scan(pen.file()))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("record 2 is not whole, and record 3 is");
    }

    @Test
    void recordsBehindABeginningThatIsNoneAreNotBelieved() {
        next("gone");
        pen.document(0, next("link=zz"));
        write(1);

        assertThatThrownBy(() -> scan(pen.file())).isInstanceOf(JournalException.class);
    }

    /** A guest has no way to write such words; if it found one, they still prove nothing. */
    @ParameterizedTest
    @CsvSource({", false", "0, false", "100, true"})
    void wordsOfARecordThatLookLikeALaterOneProveNothing(Integer behind, boolean torn) throws JournalException {
        byte[] forged = JournalFrame.encode(record(77, "x"), 77, JournalFrame.firstLink());
        String words = new String(forged, java.nio.charset.StandardCharsets.ISO_8859_1);
        // Bytes that UTF-8 would change are made ones that it keeps, and the CRC is made anew.
        byte[] plain = words.replaceAll("[^\\x00-\\x7f]", "?").getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        for (int i = 0; !isAscii(crc(plain)); i++) {
            assertThat(i).isLessThan(100_000);
            plain[16 + i % 4]++;
            plain[16 + i % 4] &= 0x7f;
            plain[20 + i % 7] = (byte) (plain[20 + i % 7] * 31 + i & 0x7f);
        }
        System.arraycopy(crc(plain), 0, plain, 32, 4);
        assertThat(JournalFrame.decode(plain, 0)).isNotNull();
        write(1);
        pen.document(0, next(new String(plain, java.nio.charset.StandardCharsets.US_ASCII)));
        write(1);
        int end = pen.out.size();
        scan((behind == null ? pen : pen.word(behind).raw(new byte[60])).file());

        expect(3, torn ? "file, byte " + end : null);
    }

    private static byte[] crc(byte[] frame) {
        CRC32C crc = new CRC32C();
        crc.update(frame, 0, 32);
        crc.update(frame, 36, frame.length - 36);
        return ByteBuffer.allocate(4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt((int) crc.getValue())
                .array();
    }

    private static boolean isAscii(byte[] bytes) {
        for (byte b : bytes) {
            if (b < 0) {
                return false;
            }
        }
        return true;
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 6, 1 << 30, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void textsOfLengthsThatAreNoneMakeNoRecord(int length) {
        byte[] frame = next("pd=1");
        // Behind the six numbers of the body, which take 36 bytes.
        ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).putInt(36 + 36, length);
        System.arraycopy(crc(frame), 0, frame, 32, 4);

        assertThat(JournalFrame.decode(frame, 0)).isNull();
    }

    @Test
    void framesAreWholeOrNone() {
        byte[] frame = next("pd=1");

        assertThat(JournalFrame.decode(frame, 0)).isNotNull();
        for (int length = 0; length < frame.length; length++) {
            assertThat(JournalFrame.decode(Arrays.copyOf(frame, length), 0)).isNull();
        }
        for (int from = 1; from <= frame.length; from++) {
            assertThat(JournalFrame.decode(frame, from)).isNull();
        }
    }

    @Test
    void phasesThatAreNoneMakeNoRecord() {
        for (int phase = -1; phase < 9; phase++) {
            byte[] frame = JournalFrame.encode(record(1, "x"), 1, JournalFrame.firstLink());
            ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).putInt(36 + 20, phase);
            System.arraycopy(crc(frame), 0, frame, 32, 4);

            JournalFrame.Content content = JournalFrame.decode(frame, 0);

            assertThat(content != null).as("%d", phase).isEqualTo(phase >= 1 && phase <= 7);
            if (content != null) {
                assertThat(content.record().phase().code()).isEqualTo(phase);
            }
        }
    }
}
