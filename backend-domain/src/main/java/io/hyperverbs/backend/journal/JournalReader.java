package io.hyperverbs.backend.journal;

import io.hyperverbs.backend.journal.JournalFrame.Content;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a journal from the first record that is kept, in any process, also while a backend writes
 * it; changes nothing. The beginnings of segments are records too: they are left out unless they
 * say something. One thread at a time.
 */
public final class JournalReader implements AutoCloseable {
    private final Path folder;
    private @Nullable SegmentReader segment;
    private long count;
    private byte[] link = JournalFrame.firstLink();
    // The segment's first record comes next; the segment is the oldest that is kept.
    private boolean begins;
    private boolean oldest;

    private JournalReader(Path folder) {
        this.folder = folder;
    }

    /**
     * Opens the journal in the state folder of a topology.
     *
     * @throws NoSuchFileException if nothing was ever recorded there
     */
    public static JournalReader open(Path stateFolder) throws NoSuchFileException {
        Path folder = stateFolder.resolve(JournalFile.FOLDER);
        try {
            if (JournalFolder.segments(folder).isEmpty()) {
                throw new NoSuchFileException(folder.toString());
            }
        } catch (NoSuchFileException e) {
            throw e;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new JournalReader(folder);
    }

    /**
     * The next record; empty if there is none yet.
     *
     * @throws UncheckedIOException if it is not what was written, or not the next, or of another format
     */
    public Optional<JournalRecord> next() {
        try {
            Content content = nextContent();
            while (content != null) {
                JournalRecord record = content.record();
                boolean first = count == 0;
                accept(content);
                boolean silent = record.phase() == JournalRecord.Phase.BEGUN
                        && record.suppressed() == 0
                        && !(first && count > 1);
                if (!silent) {
                    return Optional.of(record);
                }
                content = nextContent();
            }
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void accept(Content content) {
        count = content.sequence();
        link = content.link();
    }

    /** The next one, checked; null if there is none yet. */
    private @Nullable Content nextContent() throws IOException {
        SegmentReader later = null;
        while (true) {
            SegmentReader open = segment;
            byte[] frame = open == null ? null : open.next();
            Content content = frame == null ? null : believed(frame);
            if (content != null) {
                close(later);
                return content;
            }
            boolean looked = later != null;
            if (!looked) {
                later = laterSegment(open);
            }
            if (later == null) {
                if (frame != null) {
                    throw damaged();
                }
                return null;
            }
            // What was written to the former one before the later one began comes first. Bytes that
            // are no record were dropped, if the later one goes on where they begin.
            if (looked || frame != null || open == null) {
                close(open);
                segment = later;
                later = null;
                begins = true;
            }
        }
    }

    /** One behind {@code open} in which something is written; null if there is none. */
    private @Nullable SegmentReader laterSegment(@Nullable SegmentReader open) throws IOException {
        List<Path> segments = JournalFolder.segments(folder);
        for (Path later : segments) {
            if (open != null && JournalFolder.number(later) <= open.number()) {
                continue;
            }
            List<Path> files = JournalFolder.files(later);
            if (files.isEmpty()) {
                continue;
            }
            SegmentReader reader;
            try {
                reader = new SegmentReader(JournalFolder.number(later), files.getFirst());
            } catch (NoSuchFileException e) {
                // Retention was quicker.
                continue;
            }
            if (reader.hasNext()) {
                oldest = later.equals(segments.getFirst());
                return reader;
            }
            reader.close();
        }
        return null;
    }

    /** What the frame holds; null if it is not the next record. */
    private @Nullable Content believed(byte[] frame) {
        Content content = JournalFrame.decode(frame, 0);
        if (content == null) {
            if (begins) {
                String other = JournalFrame.otherFormat(frame, 0);
                throw other == null ? damaged() : new UncheckedIOException(new IOException(other));
            }
            return null;
        }
        byte[] before = begins && oldest ? content.record().linkBefore() : null;
        // The first that is kept, or the first behind some that went while this was reading.
        boolean next;
        if (before != null && content.sequence() > count + 1) {
            next = JournalFrame.follows(frame, 0, content, before);
        } else {
            next = content.sequence() == count + 1 && JournalFrame.follows(frame, 0, content, link);
        }
        if (!next && begins) {
            throw damaged();
        }
        begins = false;
        return next ? content : null;
    }

    private UncheckedIOException damaged() {
        return new UncheckedIOException(new IOException("record " + (count + 1) + " of the journal is damaged"));
    }

    @Override
    public void close() {
        try {
            close(segment);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void close(@Nullable SegmentReader segment) throws IOException {
        if (segment != null) {
            segment.close();
        }
    }
}
