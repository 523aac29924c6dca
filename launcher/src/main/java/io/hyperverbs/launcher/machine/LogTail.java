package io.hyperverbs.launcher.machine;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.BooleanSupplier;

/** Copies a file that grows, and keeps the streams of a console apart. One thread. */
public final class LogTail {
    private static final long LOOK_MILLIS = 50;

    private final Path file;
    private final StreamsOfLog streams;
    private long position;

    /**
     * @param position byte to begin with
     */
    public LogTail(Path file, long position) {
        this.file = file;
        this.streams = new StreamsOfLog(file);
        this.position = position;
    }

    /** Copies what is there and not copied yet; returns how many bytes. */
    public long copy(OutputStream out) throws IOException {
        return copy(out, out);
    }

    /**
     * The same, each stream to its own place.
     *
     * @param err for what a program wrote to its standard error
     */
    public long copy(OutputStream out, OutputStream err) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long size = channel.size();
            if (size < position) {
                // The domain was started anew.
                position = 0;
                streams.begin();
            }
            streams.look();
            long begin = position;
            while (position < size) {
                OutputStream to = streams.isError(position) ? err : out;
                long length = Math.min(size, streams.next()) - position;
                long copied = channel.transferTo(position, length, Channels.newChannel(to));
                if (copied == 0) {
                    break;
                }
                position += copied;
                to.flush();
            }
            return position - begin;
        } catch (NoSuchFileException e) {
            return 0;
        }
    }

    /** Copies until {@code ended} says so, and then what came until then. */
    public void follow(OutputStream out, BooleanSupplier ended) throws IOException, InterruptedException {
        follow(out, out, ended);
    }

    /** The same, each stream to its own place. */
    public void follow(OutputStream out, OutputStream err, BooleanSupplier ended)
            throws IOException, InterruptedException {
        while (true) {
            boolean last = ended.getAsBoolean();
            long _ = copy(out, err);
            if (last) {
                // Others may print on for ever.
                return;
            }
            Thread.sleep(LOOK_MILLIS);
        }
    }

    /** The last line that is not blank, shortened; empty if there is none. */
    public static String lastLine(Path file) {
        try (var lines = Files.lines(file)) {
            String last = lines.filter(line -> !line.isBlank())
                    .reduce((one, next) -> next)
                    .orElse("");
            return last.length() > 200 ? last.substring(0, 200) : last;
        } catch (IOException | java.io.UncheckedIOException e) {
            return "";
        }
    }
}
