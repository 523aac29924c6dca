package io.hyperverbs.backend.journal;

import io.hyperverbs.backend.journal.JournalFrame.Content;

import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.wire.DocumentContext;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reads a journal from its first record on, in any process, also while a backend writes it; changes
 * nothing. One thread at a time.
 */
public final class JournalReader implements AutoCloseable {
    private final ChronicleQueue queue;
    private final ExcerptTailer tailer;
    private long count;
    private byte[] link = JournalFrame.firstLink();

    private JournalReader(ChronicleQueue queue) {
        this.queue = queue;
        this.tailer = queue.createTailer();
    }

    /**
     * Opens the journal in the state folder of a topology.
     *
     * @throws NoSuchFileException if nothing was ever recorded there
     */
    public static JournalReader open(Path stateFolder) throws NoSuchFileException {
        Path folder = stateFolder.resolve(JournalFile.FOLDER);
        if (!holdsRecords(folder)) {
            throw new NoSuchFileException(folder.toString());
        }
        return new JournalReader(JournalFile.at(folder).readOnly(true).build());
    }

    /**
     * The next record; empty if there is none yet.
     *
     * @throws UncheckedIOException if it is not what was written, or not the next
     */
    public Optional<JournalRecord> next() {
        try (DocumentContext document = tailer.readingDocument()) {
            return document.isData() ? Optional.of(record(document)) : Optional.empty();
        }
    }

    private JournalRecord record(DocumentContext document) {
        byte[] frame = JournalFile.read(Objects.requireNonNull(document.wire(), "wire").bytes());
        Content content = JournalFrame.decode(frame, 0);
        if (content == null
                || content.sequence() != count + 1
                || !JournalFrame.follows(frame, 0, content, link)) {
            throw new UncheckedIOException(
                    new IOException("record " + (count + 1) + " of the journal is damaged"));
        }
        count++;
        link = content.link();
        return content.record();
    }

    @Override
    public void close() {
        tailer.close();
        queue.close();
    }

    private static boolean holdsRecords(Path folder) {
        if (!Files.isDirectory(folder)) {
            return false;
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.anyMatch(file -> file.toString().endsWith(JournalFile.SUFFIX));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
