package io.hyperverbs.backend.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.verbs.VerbsStatus;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How short, how long and where a frame may be, and which files of a folder are read. */
class JournalFrameTest {
    private static byte[] frame(String name, String verb, String arguments) {
        return JournalFrame.encode(record(name, verb, arguments), 1, JournalFrame.firstLink());
    }

    private static JournalRecord record(String name, String verb, String arguments) {
        return new JournalRecord(7, 1, name, 9, JournalRecord.Phase.INTENT, verb, arguments, VerbsStatus.SUCCESS, 3);
    }

    /** The same frame as a program of another format would have written it. */
    static byte[] ofFormat(char digit, byte[] frame) {
        frame[3] = (byte) digit;
        CRC32C crc = new CRC32C();
        crc.update(frame, 0, 32);
        crc.update(frame, 36, frame.length - 36);
        ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).putInt(32, (int) crc.getValue());
        return frame;
    }

    @Test
    void framesOfOtherFormatsAreToldFromDamage() {
        byte[] other = ofFormat('1', frame("a", "b", "c"));
        byte[] damaged = frame("a", "b", "c");
        damaged[3] = '1';

        assertThat(JournalFrame.decode(other, 0)).isNull();
        assertThat(JournalFrame.otherFormat(other, 0)).contains("format 1").contains("2");
        assertThat(JournalFrame.otherFormat(damaged, 0)).isNull();
        assertThat(JournalFrame.otherFormat(frame("a", "b", "c"), 0)).isNull();
        assertThat(JournalFrame.otherFormat(Arrays.copyOf(other, other.length - 1), 0))
                .isNull();
        assertThat(JournalFrame.otherFormat(new byte[JournalFrame.HEAD_BYTES - 1], 0))
                .isNull();
        assertThat(JournalFrame.otherFormat(new byte[JournalFrame.HEAD_BYTES], 0))
                .isNull();
    }

    @Test
    void textsMayBeEmpty() {
        JournalFrame.Content content = JournalFrame.decode(frame("", "", ""), 0);

        assertThat(content).isNotNull();
        assertThat(content.record()).isEqualTo(record("", "", ""));
    }

    @Test
    void longestFrameIsAMebibyte() {
        int rest = frame("a", "b", "").length;
        byte[] longest = frame("a", "b", "x".repeat(JournalFrame.MAX_BYTES - rest));
        byte[] longer = frame("a", "b", "x".repeat(JournalFrame.MAX_BYTES - rest + 1));

        assertThat(longest).hasSize(JournalFrame.MAX_BYTES);
        assertThat(JournalFrame.decode(longest, 0)).isNotNull();
        assertThat(JournalFrame.decode(longer, 0)).isNull();
    }

    @Test
    void frameLiesAnywhereAndIsCutOffAnywhere() {
        byte[] frame = frame("a", "b", "c");
        byte[] bytes = new byte[40 + frame.length];
        System.arraycopy(frame, 0, bytes, 40, frame.length);

        JournalFrame.Content content = JournalFrame.decode(bytes, 40);
        assertThat(content).isNotNull();
        assertThat(content.record()).isEqualTo(record("a", "b", "c"));
        assertThat(content.sequence()).isEqualTo(1);
        assertThat(content.lengthBytes()).isEqualTo(frame.length);
        assertThat(content.link()).isEqualTo(JournalFrame.linkOf(frame));
        assertThat(JournalFrame.follows(bytes, 40, content, JournalFrame.firstLink()))
                .isTrue();
        for (int length = 40; length < bytes.length; length++) {
            assertThat(JournalFrame.decode(Arrays.copyOf(bytes, length), 40)).isNull();
        }
    }

    @Test
    void filesOfOtherNamesAreNotTheJournals(@TempDir Path folder) throws Exception {
        byte[] frame = frame("a", "b", "c");
        ByteBuffer document = ByteBuffer.allocate(4 + frame.length);
        document.order(ByteOrder.LITTLE_ENDIAN).putInt(frame.length).put(frame);
        Path segment = Files.createDirectory(JournalFolder.segment(folder, 1));
        Files.write(segment.resolve("20261122" + JournalFile.SUFFIX), document.array());
        Files.write(segment.resolve("notes.txt"), new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
        Files.write(folder.resolve("notes" + JournalFile.SUFFIX), new byte[] {1, 2, 3, 4});
        List<JournalRecord> found = new ArrayList<>();

        JournalScan scan = JournalScan.of(folder, found::add);

        assertThat(scan.tornAt()).isNull();
        assertThat(found).containsExactly(record("a", "b", "c"));
    }
}
