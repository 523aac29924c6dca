package io.hyperverbs.frontend.trace;

import io.hyperverbs.vmm.text.VisibleText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The verb log of a domain, one line a call:
 *
 * <pre>
 * 12:00:01.000410 reg_mr(addr=0x7f.., len=65536, LW|RW) = mr 7 &lt;402.8us&gt; forwarded
 * 12:00:01.000950 post_send(qp=0x01f2a7, wr_id=1, RDMA_WRITE, 64) = 0 &lt;0.19us&gt; bypass
 * </pre>
 *
 * Lines are in the order in which calls returned, and the time is that of the return. Once several
 * threads have called, each line of another than the first begins with the thread's name in
 * brackets, after the time. Lines go to a sink that never waits: the next line that it takes gives
 * the number of those that it did not take. When the sink fails the log turns itself off. Any
 * thread.
 */
public final class VerbTrace implements AutoCloseable {
    /** What a line is cut to, so that a pipe takes it as a whole. */
    static final int MAX_LINE_BYTES = 4096;

    /** Where lines go. One thread at a time. */
    public interface Sink extends AutoCloseable {
        /**
         * Takes so many bytes, which are one or two lines, or none of them.
         *
         * @return whether it took them
         */
        boolean take(byte[] bytes, int length) throws IOException;

        @Override
        void close();
    }

    private static final int MOST_NAME_CHARACTERS = 32;

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSSSSS");

    private final @Nullable Sink sink;
    private final String controlWord;
    private volatile boolean on;
    private long firstThread;
    private long dropped;

    /**
     * @param sink where lines go, closed with the log; null: the log cannot be turned on
     * @param controlWord last word of privileged verbs: {@code forwarded} in a guest
     */
    public VerbTrace(@Nullable Sink sink, String controlWord) {
        this.sink = sink;
        this.controlWord = controlWord;
    }

    /** A log that stays off. */
    public static VerbTrace off() {
        return new VerbTrace(null, "forwarded");
    }

    /** The only look that a post or poll takes while the log is off. */
    public boolean isOn() {
        return on;
    }

    /** Whether there is somewhere to write to. */
    public boolean canTurnOn() {
        return sink != null;
    }

    public String controlWord() {
        return controlWord;
    }

    /** Turns the log on or off. */
    public synchronized void turn(boolean wanted) {
        on = wanted && sink != null;
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
        if (!on || sink == null) {
            return;
        }
        // A full pipe costs the caller the text of a line that nobody will read, and no wait.
        String line = String.format(
                Locale.ROOT,
                "%s %s%s = %s <%.2fus> %s%n",
                TIME.format(LocalTime.now(java.time.ZoneId.systemDefault())),
                thread(),
                call,
                result,
                nanos / 1e3,
                path);
        String notice = dropped == 0 ? "" : "[" + dropped + " lines dropped: more than is written down]\n";
        byte[] bytes = (notice + line).getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, MAX_LINE_BYTES);
        bytes[length - 1] = '\n';
        try {
            dropped = sink.take(bytes, length) ? 0 : dropped + 1;
        } catch (IOException e) {
            // Its reader is gone, and the machine with it.
            turn(false);
        }
    }

    /** The first thread is most often the only one; its lines stay short. */
    private String thread() {
        Thread caller = Thread.currentThread();
        if (firstThread == 0) {
            firstThread = caller.threadId();
        }
        if (caller.threadId() == firstThread) {
            return "";
        }
        String name = caller.getName().isEmpty() ? "#" + caller.threadId() : caller.getName();
        int end = Math.min(MOST_NAME_CHARACTERS, name.length());
        return "[" + VisibleText.line(name.substring(0, end)) + "] ";
    }

    @Override
    public synchronized void close() {
        turn(false);
        if (sink != null) {
            sink.close();
        }
    }
}
