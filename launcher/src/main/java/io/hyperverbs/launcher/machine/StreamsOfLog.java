package io.hyperverbs.launcher.machine;

import io.hyperverbs.vmm.domain.StreamSwitch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;

/** Which bytes of a console that grows were standard error. Asked in order. One thread. */
final class StreamsOfLog {
    private final Path file;
    private final Deque<StreamSwitch> ahead = new ArrayDeque<>();
    private long readBytes;
    private boolean error;

    /**
     * @param log the console
     */
    StreamsOfLog(Path log) {
        this.file = StreamSwitch.fileOf(log);
    }

    /** For a new log. */
    void begin() {
        ahead.clear();
        readBytes = 0;
        error = false;
    }

    /** Reads what came; to be done after a look at the log's size, which what counts precedes. */
    void look() throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long size = channel.size() - channel.size() % StreamSwitch.BYTES;
            if (size <= readBytes) {
                return;
            }
            ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(size - readBytes));
            while (bytes.hasRemaining() && channel.read(bytes, readBytes + bytes.position()) >= 0) {}
            readBytes = size;
            bytes.flip();
            while (bytes.remaining() >= StreamSwitch.BYTES) {
                ahead.add(StreamSwitch.read(bytes));
            }
        } catch (NoSuchFileException e) {
            // All of it is standard output.
        }
    }

    /** Whether the byte at {@code position} was standard error; it only grows between calls. */
    boolean isError(long position) {
        while (!ahead.isEmpty() && ahead.getFirst().offset() <= position) {
            error = ahead.removeFirst().error();
        }
        return error;
    }

    /** Where the stream changes next, after what was asked for last. */
    long next() {
        return ahead.isEmpty() ? Long.MAX_VALUE : ahead.getFirst().offset();
    }
}
