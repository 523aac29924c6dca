package io.hyperverbs.backend.journal;

import com.google.protobuf.ByteString;
import io.hyperverbs.verbs.VerbsStatus;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Files of a journal without Chronicle Queue: documents as it writes them, what becomes of files,
 * and what the backend believes of them when it starts again.
 */
public final class JournalDoor {
    /** What reads files; for mistakes to be planted in. */
    public static final Class<?> SCAN = JournalScan.class;

    private static final int METADATA = 1 << 30;
    private static final int END_OF_DAY = 1 << 31 | METADATA;
    private static final int GAP_BYTES = 48;
    private static final int TRIES = 64;

    private final List<byte[]> files = new ArrayList<>();
    private final List<JournalRecord> records = new ArrayList<>();
    private final List<byte[]> frames = new ArrayList<>();
    private ByteArrayOutputStream open = new ByteArrayOutputStream();
    private byte[] link = JournalFrame.firstLink();
    private boolean damaged;

    /** A record, as a journal would write it now. */
    public void write(int phase, int status, int domain, String name, String words) {
        JournalRecord.Phase[] phases = JournalRecord.Phase.values();
        VerbsStatus[] statuses = VerbsStatus.values();
        JournalRecord record = new JournalRecord(
                1000 + records.size(),
                domain,
                name,
                records.size(),
                phases[phase % phases.length],
                "verb",
                words,
                statuses[status % statuses.length],
                status,
                ByteString.copyFromUtf8(words));
        byte[] frame = JournalFrame.encode(record, records.size() + 1, link);
        JournalFrame.Content content = JournalFrame.decode(frame, 0);
        require(content != null && content.record().equals(record), "written and read: " + record);
        link = JournalFrame.linkOf(frame);
        records.add(record);
        frames.add(frame);
        document(0, frame);
    }

    /** Words that are a whole record of that number, or come near one. */
    public static String wordsLikeARecord(long number) {
        JournalRecord record =
                new JournalRecord(1, 1, "x", number, JournalRecord.Phase.COMMIT, "verb", "x", VerbsStatus.SUCCESS, 0);
        String words = "";
        byte[] before = new byte[JournalFrame.LINK_BYTES];
        for (int i = 0; i < TRIES; i++) {
            before[0] = (byte) i;
            byte[] frame = JournalFrame.encode(record, number, before);
            words = new String(frame, StandardCharsets.UTF_8);
            if (Arrays.equals(words.getBytes(StandardCharsets.UTF_8), frame)) {
                return words;
            }
        }
        return words;
    }

    /** A document of Chronicle Queue's own. */
    public void metadata(byte[] content) {
        document(METADATA, content);
    }

    private void document(int flags, byte[] content) {
        word(content.length | flags);
        open.writeBytes(Arrays.copyOf(content, (content.length + 3) & ~3));
    }

    private void word(int word) {
        open.writeBytes(ByteBuffer.allocate(4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(word)
                .array());
    }

    /** The next file begins; the former one ends as a day does, or as a crash leaves it. */
    public void nextFile(boolean endOfDay) {
        if (endOfDay) {
            word(END_OF_DAY);
        }
        open.writeBytes(new byte[GAP_BYTES]);
        files.add(open.toByteArray());
        open = new ByteArrayOutputStream();
    }

    /** A file that is no journal's. */
    public void foreign(byte[] bytes) {
        files.add(bytes.clone());
        damaged = true;
    }

    private byte[] file(int number) {
        damaged = true;
        return files.get(number % files.size());
    }

    private static int place(int position, byte[] in) {
        return Integer.remainderUnsigned(position, in.length);
    }

    /** One bit is the other. */
    public void flip(int number, int position) {
        byte[] file = file(number);
        file[place(position >>> 3, file)] ^= (byte) (1 << (position & 7));
    }

    /** From there on there is nothing. */
    public void cut(int number, int position) {
        byte[] file = file(number);
        files.set(number % files.size(), Arrays.copyOf(file, place(position, file) + 1));
    }

    /** From there on there are zeroes, so many. */
    public void zero(int number, int position, int length) {
        byte[] file = file(number);
        int from = place(position, file);
        Arrays.fill(file, from, Math.min(file.length, from + length), (byte) 0);
    }

    /** Bytes of one place are written over another. */
    public void copy(int number, int from, int toNumber, int to, int length) {
        byte[] source = file(number);
        byte[] target = file(toNumber);
        write(source, place(from, source), length, target, place(to, target));
    }

    /** The whole record of that number is written over another place. */
    public void overwrite(int record, int number, int at) {
        if (!frames.isEmpty()) {
            byte[] frame = frames.get(record % frames.size());
            byte[] target = file(number);
            write(frame, 0, frame.length, target, place(at, target));
        }
    }

    private static void write(byte[] source, int from, int length, byte[] target, int to) {
        int fits = Math.min(source.length - from, target.length - to);
        System.arraycopy(source, from, target, to, Math.min(length, fits));
    }

    /** A file is somewhere else, or there as well. */
    public void shuffle(int number, int to, boolean twice) {
        byte[] file = file(number);
        if (!twice) {
            files.remove(number % files.size());
        }
        files.add(to % (files.size() + 1), file.clone());
    }

    /** Reads all, as a backend that starts. */
    public void judge() {
        List<JournalRecord> found = new ArrayList<>();
        JournalScan scan = new JournalScan(found::add);
        try {
            for (byte[] file : files) {
                scan.file("file", file);
            }
        } catch (JournalException e) {
            require(damaged, "refused, and nothing is damaged: " + e);
            require(String.valueOf(e.getMessage()).contains("damaged at byte"), "words: " + e);
            return;
        }
        int count = found.size();
        boolean whole = count == records.size() && scan.tornAt() == null;
        require(count == scan.count(), "counted " + scan.count() + " of " + count);
        require(count <= records.size(), count + " records of " + records.size());
        require(found.equals(records.subList(0, count)), "other records than were written");
        require(damaged || whole, count + " of " + records.size() + ", " + scan.tornAt());
        byte[] last = count == 0 ? JournalFrame.firstLink() : JournalFrame.linkOf(frames.get(count - 1));
        require(Arrays.equals(scan.link(), last), "the link is not the last record's");
        // One may be lost if it is told; those behind it may not, as long as they are there.
        for (int i = count + (scan.tornAt() == null ? 0 : 1); i < records.size(); i++) {
            require(!isThere(frames.get(i)), "record " + (i + 1) + " is there, and is lost");
        }
    }

    private boolean isThere(byte[] frame) {
        for (byte[] file : files) {
            for (int at = 0; at <= file.length - frame.length; at++) {
                if (file[at] == frame[0] && Arrays.equals(file, at, at + frame.length, frame, 0, frame.length)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
