package io.hyperverbs.frontend.trace;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * The verb log of a domain, one line a call:
 *
 * <pre>
 * 12:00:01.000410 reg_mr(addr=0x7f.., len=65536, LW|RW) = mr 7 &lt;402.8us&gt; forwarded
 * 12:00:01.000950 post_send(qp=0x01f2a7, wr_id=1, RDMA_WRITE, 64) = 0 &lt;0.19us&gt; bypass
 * </pre>
 *
 * A full file is copied to {@code NAME.1} and begun anew, so the last lines are kept in bounded
 * space; both files stay where they are, as a sandbox may show nothing but them. When the file
 * cannot be written the log turns itself off. Any thread.
 */
public final class VerbTrace implements AutoCloseable {
    /** Bytes of one file. */
    public static final long DEFAULT_MAX_BYTES = 8L << 20;

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSSSSS");

    private final @Nullable Path file;
    private final long maxBytes;
    private final String controlWord;
    private volatile boolean on;
    private @Nullable Writer writer;
    private long written;

    /**
     * @param file where lines go; null: the log cannot be turned on
     * @param maxBytes a file's size at which the next is begun
     * @param controlWord last word of privileged verbs: {@code forwarded} in a guest
     */
    public VerbTrace(@Nullable Path file, long maxBytes, String controlWord) {
        this.file = file;
        this.maxBytes = maxBytes;
        this.controlWord = controlWord;
    }

    /** A log that stays off. */
    public static VerbTrace off() {
        return new VerbTrace(null, DEFAULT_MAX_BYTES, "forwarded");
    }

    /** The only look that a post or poll takes while the log is off. */
    public boolean isOn() {
        return on;
    }

    /** Whether there is a file to write. */
    public boolean canTurnOn() {
        return file != null;
    }

    public String controlWord() {
        return controlWord;
    }

    /** Turns the log on or off. */
    public synchronized void turn(boolean wanted) {
        on = wanted && file != null;
        if (!on) {
            closeWriter();
        }
    }

    /**
     * Writes one line.
     *
     * @param call name and arguments
     * @param result what came back
     * @param nanos how long it took
     * @param path last word: {@code bypass} or {@code forwarded}
     */
    public synchronized void log(String call, String result, long nanos, String path) {
        if (!on || file == null) {
            return;
        }
        String line =
                String.format(
                        Locale.ROOT,
                        "%s %s = %s <%.2fus> %s%n",
                        TIME.format(LocalTime.now(java.time.ZoneId.systemDefault())),
                        call,
                        result,
                        nanos / 1e3,
                        path);
        try {
            Writer to = writer == null ? open(file) : writer;
            to.write(line);
            to.flush();
            written += line.length();
            if (written >= maxBytes) {
                closeWriter();
                Files.write(
                        file.resolveSibling(file.getFileName() + ".1"), Files.readAllBytes(file));
                Files.write(file, new byte[0]);
            }
        } catch (IOException e) {
            System.err.println("verb log off: " + e);
            turn(false);
        }
    }

    @Override
    public void close() {
        turn(false);
    }

    private Writer open(Path path) throws IOException {
        Writer opened =
                Files.newBufferedWriter(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        written = Files.size(path);
        writer = opened;
        return opened;
    }

    private void closeWriter() {
        Writer open = writer;
        writer = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                System.err.println("verb log not closed: " + e);
            }
        }
    }
}
