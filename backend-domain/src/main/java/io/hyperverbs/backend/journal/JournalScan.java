package io.hyperverbs.backend.journal;

import io.hyperverbs.backend.journal.JournalFrame.Content;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the bytes of journal files by itself, believing nothing that it has not checked: what a
 * killed process, a full disk or somebody's editor left may be anything. Documents of Chronicle
 * Queue have a head of four bytes: length, and two bits for "not complete" and "metadata".
 *
 * <p>Records go on from file to file, and the first ones may be gone. What is wrong behind the last
 * whole record is a torn tail, which is dropped, also where a later segment says so; whole records
 * behind something else that is wrong mean damage, and nothing of the journal is believed then.
 */
final class JournalScan {
    private static final int INCOMPLETE = 1 << 31;
    private static final int METADATA = 1 << 30;
    private static final int LENGTH = METADATA - 1;

    private final Consumer<JournalRecord> found;
    private long count;
    private byte[] link = JournalFrame.firstLink();
    private final List<Path> unused = new ArrayList<>();
    private @Nullable String tornAt;
    private boolean fileBegins;
    // The highest number of a whole record that begins in what is no record.
    private long strayed;

    /**
     * @param found gets each whole record, in order
     */
    JournalScan(Consumer<JournalRecord> found) {
        this.found = found;
    }

    /** One that goes on behind a record of that number, with that link. */
    static JournalScan behind(long count, byte[] link) {
        JournalScan scan = new JournalScan(_ -> {});
        scan.count = count;
        scan.link = link.clone();
        return scan;
    }

    /** Goes through all segments of {@code folder}; there may be no such folder. */
    static JournalScan of(Path folder, Consumer<JournalRecord> found) throws IOException, JournalException {
        JournalScan scan = new JournalScan(found);
        for (Path segment : JournalFolder.segments(folder)) {
            long before = scan.count;
            String tornBefore = scan.tornAt;
            for (Path file : JournalFolder.files(segment)) {
                scan.file(file.getFileName().toString(), Files.readAllBytes(file));
            }
            if (scan.count == before && Objects.equals(scan.tornAt, tornBefore)) {
                scan.unused.add(segment);
            }
        }
        return scan;
    }

    /** Segments without a record, made by a process that died before it wrote there. */
    List<Path> unused() {
        return List.copyOf(unused);
    }

    /** Whole records so far. */
    long count() {
        return count;
    }

    /** The link of the last of them. */
    byte[] link() {
        return link;
    }

    /** Where something that is no whole record follows the last one; null if nothing does. */
    @Nullable
    String tornAt() {
        return tornAt;
    }

    /**
     * Goes on with the next file.
     *
     * @throws JournalException if records are missing or changed before others that are whole
     */
    void file(String name, byte[] bytes) throws JournalException {
        strayed = 0;
        fileBegins = true;
        int at = documents(name, bytes);
        long last = Math.max(strayed, lastWhole(bytes, at, bytes.length));
        if (last > count + 1) {
            throw new JournalException("journal file "
                    + name
                    + " is damaged at byte "
                    + at
                    + ": record "
                    + (count + 1)
                    + " is not whole, and record "
                    + last
                    + " is");
        }
        if (last > count && tornAt == null) {
            tornAt = name + ", record " + last;
        }
    }

    /** Follows documents as long as they are right; where that ended. */
    private int documents(String name, byte[] bytes) throws JournalException {
        ByteBuffer file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int at = 0;
        while (at <= bytes.length - 4) {
            int head = file.getInt(at);
            int lengthBytes = head & LENGTH;
            if (head == 0 || head == (INCOMPLETE | METADATA)) {
                // The end so far, and the end of a day.
                return tail(name, bytes, at);
            }
            boolean torn = (head & INCOMPLETE) != 0 || lengthBytes > bytes.length - at - 4;
            if (torn || ((head & METADATA) == 0 && !record(bytes, at + 4, lengthBytes))) {
                return tail(name, bytes, at);
            }
            int next = at + 4 + ((lengthBytes + 3) & ~3);
            int beyond = (head & METADATA) != 0 ? at : at + 4 + lengthBytes;
            strayed = Math.max(strayed, lastWhole(bytes, beyond, Math.min(next, bytes.length)));
            at = next;
        }
        return tail(name, bytes, at);
    }

    private boolean record(byte[] bytes, int at, int lengthBytes) throws JournalException {
        boolean first = fileBegins;
        fileBegins = false;
        Content content = JournalFrame.decode(bytes, at);
        if (first && content != null) {
            begin(content);
        }
        String other = first && content == null ? JournalFrame.otherFormat(bytes, at) : null;
        if (other != null) {
            throw new JournalException(other);
        }
        if (tornAt != null
                || content == null
                || content.lengthBytes() != lengthBytes
                || content.sequence() != count + 1
                || !JournalFrame.follows(bytes, at, content, link)) {
            return false;
        }
        found.accept(content.record());
        count++;
        link = content.link();
        return true;
    }

    /**
     * The first record of a file may say that it begins a segment: behind a torn end that its
     * writer dropped, or behind records that are gone, whose number and link it gives.
     */
    private void begin(Content content) {
        byte[] before = content.record().linkBefore();
        if (before == null) {
            return;
        }
        if (count == 0 && tornAt == null && content.sequence() > 1) {
            count = content.sequence() - 1;
            link = before;
        } else if (content.sequence() == count + 1 && Arrays.equals(before, link)) {
            tornAt = null;
        }
    }

    private int tail(String name, byte[] bytes, int at) {
        for (int i = at; i < bytes.length && tornAt == null; i++) {
            if (bytes[i] != 0 && !isEndMark(bytes, at, i)) {
                tornAt = name + ", byte " + at;
            }
        }
        return at;
    }

    private static boolean isEndMark(byte[] bytes, int at, int i) {
        return i == at + 3 && (bytes[i] & 0xff) == 0xc0;
    }

    /**
     * The highest number of a whole record that begins there, in a document or not. What lies in
     * records that were found is not looked at: their words may be a guest's.
     */
    private static long lastWhole(byte[] bytes, int from, int to) {
        long last = 0;
        for (int i = from; i < to; i++) {
            // The first byte of a frame.
            Content content = bytes[i] == 'H' ? JournalFrame.decode(bytes, i) : null;
            if (content != null) {
                last = Math.max(last, content.sequence());
            }
        }
        return last;
    }
}
