package io.hyperverbs.vmm.domain;

import io.hyperverbs.vmm.posix.PipeReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Writes down what a domain prints, in bounded space ({@link ConsoleLog}). The domain has a pipe
 * for each stream and no file of ours, which is read at a {@link LogPace}. While the disk takes
 * nothing it goes on reading, since who prints would wait for it, and says later how much is
 * missing. One thread for each stream: two that the domain writes to at the same moment may change
 * places.
 */
final class Console {
    /** Bytes of one log. */
    static final int MAX_BYTES = 8 << 20;

    private static final long STACK_BYTES = 256 << 10;

    private final Path log;
    private final ConsoleLog file;
    private final LogPace pace;
    private final List<ConsoleStream> streams = new ArrayList<>();
    private final AtomicInteger running;
    private final CountDownLatch ended;

    private Console(Path log, int maxBytes, LogPace pace, int streams) {
        this.log = log;
        this.file = new ConsoleLog(log, maxBytes, streams > 1);
        this.file.begin();
        this.pace = pace;
        this.running = new AtomicInteger(streams);
        this.ended = new CountDownLatch(streams);
    }

    /** Writes to {@code log} until {@code printed} ends. */
    static Console start(PipeReader printed, Path log, LogPace pace) {
        return start(printed, log, MAX_BYTES, pace);
    }

    /** The same in a log of {@code maxBytes}. */
    static Console start(PipeReader printed, Path log, int maxBytes, LogPace pace) {
        Console console = new Console(log, maxBytes, pace, 1);
        console.start(printed, false);
        return console;
    }

    /** The same for two streams, which share the pace, and notes which was which. */
    static Console start(PipeReader output, PipeReader error, Path log, LogPace pace) {
        Console console = new Console(log, MAX_BYTES, pace, 2);
        console.start(output, false);
        console.start(error, true);
        return console;
    }

    private void start(PipeReader printed, boolean error) {
        ConsoleStream stream = new ConsoleStream(printed, file, pace, error);
        streams.add(stream);
        boolean started = false;
        try {
            Thread.ofPlatform()
                    .daemon()
                    .name((error ? "errors-" : "console-") + log.getFileName())
                    .stackSize(STACK_BYTES)
                    .start(() -> run(stream));
            started = true;
        } finally {
            if (!started) {
                stream.end();
                ended();
            }
        }
    }

    private void run(ConsoleStream stream) {
        try {
            stream.run();
        } finally {
            ended();
        }
    }

    private void ended() {
        if (running.decrementAndGet() == 0) {
            file.close();
        }
        ended.countDown();
    }

    /** Waits until all is written that was printed; false after {@code millis}. */
    boolean awaitEnd(long millis) throws InterruptedException {
        return ended.await(millis, TimeUnit.MILLISECONDS);
    }

    /** Waits until what was printed before this call is in the log; false after {@code millis}. */
    boolean awaitWritten(long millis) throws InterruptedException {
        long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        boolean all = true;
        for (ConsoleStream stream : streams) {
            all &= stream.awaitWritten(endNanos);
        }
        return all;
    }
}
