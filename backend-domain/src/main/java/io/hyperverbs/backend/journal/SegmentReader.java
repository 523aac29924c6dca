package io.hyperverbs.backend.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Frames of one file of a journal, also while it is written: the head of a document is written
 * last. By reads of the file, not by a mapping of it, which may become shorter. One thread.
 */
final class SegmentReader implements AutoCloseable {
    private static final int INCOMPLETE = 1 << 31;
    private static final int METADATA = 1 << 30;
    private static final int LENGTH = METADATA - 1;

    private final long number;
    private final FileChannel file;
    private long at;

    /**
     * @param number of its segment
     * @throws java.nio.file.NoSuchFileException if it is gone
     */
    SegmentReader(long number, Path file) throws IOException {
        this.number = number;
        this.file = FileChannel.open(file);
    }

    long number() {
        return number;
    }

    /** Whether a whole document of a record comes next. */
    boolean hasNext() throws IOException {
        return head() > 0;
    }

    /** The bytes of the next record's document, of any length but its first ones; null if none. */
    byte @Nullable [] next() throws IOException {
        int lengthBytes = head();
        if (lengthBytes <= 0) {
            return null;
        }
        ByteBuffer document = read(at + 4, Math.min(lengthBytes, JournalFrame.MAX_BYTES));
        if (document == null) {
            return null;
        }
        at += 4 + padded(lengthBytes);
        byte[] frame = new byte[document.limit()];
        document.get(0, frame);
        return frame;
    }

    /** Passes by what is no record; length of the next one, or 0. */
    private int head() throws IOException {
        while (true) {
            ByteBuffer word = read(at, 4);
            int head = word == null ? 0 : word.getInt(0);
            if (head == 0 || (head & INCOMPLETE) != 0) {
                return 0;
            }
            int lengthBytes = head & LENGTH;
            if ((head & METADATA) == 0) {
                return lengthBytes;
            }
            at += 4 + padded(lengthBytes);
        }
    }

    private static long padded(int lengthBytes) {
        return (lengthBytes + 3L) & ~3L;
    }

    /** So many bytes, or null where the file ends before. */
    private @Nullable ByteBuffer read(long from, int lengthBytes) throws IOException {
        if (from > file.size() - lengthBytes) {
            return null;
        }
        ByteBuffer bytes = ByteBuffer.allocate(lengthBytes).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining()) {
            if (file.read(bytes, from + bytes.position()) < 0) {
                return null;
            }
        }
        return bytes;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
