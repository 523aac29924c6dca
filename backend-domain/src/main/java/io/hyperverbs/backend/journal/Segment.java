package io.hyperverbs.backend.journal;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.wire.DocumentContext;

/**
 * One file of a journal in a folder of its own, being written. All its space was taken when it was
 * made: a store into a mapped file that has none ends the process. One thread at a time.
 */
final class Segment implements AutoCloseable {
    /** Of the disk, for each segment. */
    static final int BYTES = 4 << 20;

    /** For what Chronicle Queue writes between records: its index, a page for each 2^20 of them. */
    private static final int INDEX_BYTES = 256 << 10;

    /** Name of the file before Chronicle Queue may see it. */
    private static final String SPACE = "space";

    private static final int TABLE_BYTES = 64 << 10;
    private static final int DOCUMENT_BYTES = 8;
    private static final int ZEROES_BYTES = 64 << 10;

    private final Path folder;
    private final Path file;
    private final ChronicleQueue queue;
    private final ExcerptAppender appender;
    private long endBytes;

    private Segment(Path folder, Path file, ChronicleQueue queue, ExcerptAppender appender) {
        this.folder = folder;
        this.file = file;
        this.queue = queue;
        this.appender = appender;
    }

    /**
     * Makes one in {@code folder}, which must not be there.
     *
     * @throws IOException if the disk has not that much left; nothing of it is left then
     */
    static Segment create(Path folder, long timeMillis) throws IOException {
        try {
            Files.createDirectories(folder);
            // First, since it is what there may be no room for.
            fill(folder.resolve(SPACE), BYTES);
            fill(folder.resolve(JournalFile.TABLE), TABLE_BYTES);
            return open(folder, timeMillis);
        } catch (IOException | RuntimeException | Error e) {
            try {
                JournalFolder.delete(folder);
            } catch (IOException left) {
                e.addSuppressed(left);
            }
            throw e;
        }
    }

    private static Segment open(Path folder, long timeMillis) throws IOException {
        ChronicleQueue queue =
                JournalFile.at(folder).timeProvider(() -> timeMillis).build();
        try {
            ExcerptAppender appender = queue.createAppender();
            // Calls come from many threads, one at a time under the journal's lock.
            appender.singleThreadedCheckDisabled(true);
            // Not before: a file without a head would be waited for.
            Path file = folder.resolve(JournalFile.nameOf(timeMillis));
            Files.move(folder.resolve(SPACE), file);
            Segment segment = new Segment(folder, file, queue, appender);
            // The first record would pay for the file's head.
            segment.write(new byte[Long.BYTES], true);
            return segment;
        } catch (IOException | RuntimeException | Error e) {
            queue.close();
            throw e;
        }
    }

    /** Zeroes take the space that a hole only names. */
    private static void fill(Path file, int sizeBytes) throws IOException {
        byte[] zeroes = new byte[ZEROES_BYTES];
        try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.CREATE_NEW)) {
            for (int at = 0; at < sizeBytes; at += zeroes.length) {
                out.write(zeroes);
            }
        }
    }

    Path folder() {
        return folder;
    }

    /** What the file holds now. */
    byte[] bytes() throws IOException {
        return Files.readAllBytes(file);
    }

    /** Bytes of records that it still takes. */
    long roomBytes() {
        return BYTES - INDEX_BYTES - endBytes;
    }

    /** What a frame takes of the room. */
    static int sizeOf(byte[] frame) {
        return frame.length + DOCUMENT_BYTES;
    }

    /** Writes a frame for which there is room. */
    void write(byte[] frame) {
        write(frame, false);
    }

    private void write(byte[] bytes, boolean metadata) {
        try (DocumentContext document = appender.writingDocument(metadata)) {
            // Until the end of the block the document is open; a throw must not leave half of it.
            boolean written = false;
            try {
                var wire = Objects.requireNonNull(document.wire(), "wire").bytes();
                JournalFile.write(wire, bytes);
                endBytes = wire.writePosition();
                written = true;
            } finally {
                if (!written) {
                    document.rollbackOnClose();
                }
            }
        }
    }

    /** Closes it and gives back what was taken and not written. */
    @Override
    public void close() throws IOException {
        appender.close();
        queue.close();
        if (Files.exists(file)) {
            try (FileChannel cut = FileChannel.open(file, StandardOpenOption.WRITE)) {
                // Four zeroes behind the last document are its end.
                var _ = cut.truncate(endBytes + DOCUMENT_BYTES);
            }
        }
    }
}
