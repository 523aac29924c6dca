package io.hyperverbs.lab.run.isolate;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many bytes of live objects a trusted process has, after a collection. Nobody can attach to
 * it; but it answers SIGQUIT with a histogram of live objects in its log.
 */
public final class LiveHeap {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration STEP = Duration.ofMillis(10);
    private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)$");

    /** What the collector puts into gaps that it leaves. */
    private static final Pattern FILLER =
            Pattern.compile("(?m)^\\s*\\d+:\\s+\\d+\\s+(\\d+)\\s+\\S*jdk\\.internal\\.vm\\.Filler.*$");

    private final long pid;
    private final Path log;

    LiveHeap(long pid, Path log) {
        this.pid = pid;
        this.log = log;
    }

    /** Measures now. */
    public long bytes() throws HvException, InterruptedException {
        try {
            long from = Files.exists(log) ? Files.size(log) : 0;
            long begun = System.nanoTime();
            ProcessSignal.QUIT.send(pid);
            while (System.nanoTime() - begun < PATIENCE.toNanos()) {
                OptionalLong live = live(since(log, from));
                if (live.isPresent()) {
                    return live.getAsLong();
                }
                Thread.sleep(STEP.toMillis());
            }
        } catch (IOException e) {
            throw new HvException(ExitCode.FAILURE, "cannot read " + log + ": " + e, "");
        }
        throw new HvException(ExitCode.FAILURE, "no histogram in " + log, "");
    }

    /** Bytes of live objects in a histogram; empty if it is not whole. */
    static OptionalLong live(String histogram) {
        Matcher total = TOTAL.matcher(histogram);
        if (!total.find()) {
            return OptionalLong.empty();
        }
        long filler = FILLER.matcher(histogram)
                .results()
                .mapToLong(line -> Long.parseLong(line.group(1)))
                .sum();
        return OptionalLong.of(Long.parseLong(total.group(1)) - filler);
    }

    /** What came after that many bytes, if meanwhile a full log was renamed, too. */
    static String since(Path log, long from) throws IOException {
        try {
            if (Files.size(log) >= from) {
                return tail(log, from);
            }
            Path former = log.resolveSibling(log.getFileName() + ".1");
            return tail(former, from) + tail(log, 0);
        } catch (NoSuchFileException | FileNotFoundException e) {
            // A full log has just been renamed, and the new one is not there yet: the next look finds it.
            return "";
        }
    }

    private static String tail(Path log, long from) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            byte[] bytes = new byte[(int) Math.max(0, file.length() - from)];
            file.seek(from);
            file.readFully(bytes);
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }
}
