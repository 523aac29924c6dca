package io.hyperverbs.vmm.domain;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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

    private static final Logger LOG = LoggerFactory.getLogger(Console.class);
    private static final int BUFFER_BYTES = 8 << 10;
    private static final long STACK_BYTES = 256 << 10;

    private final Path log;
    private final ConsoleLog file;
    private final LogPace pace;
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
    static Console start(InputStream printed, Path log, LogPace pace) {
        Console console = new Console(log, MAX_BYTES, pace, 1);
        console.start(printed, false);
        return console;
    }

    /** The same for two streams, which share the pace, and notes which was which. */
    static Console start(InputStream output, InputStream error, Path log, LogPace pace) {
        Console console = new Console(log, MAX_BYTES, pace, 2);
        console.start(output, false);
        console.start(error, true);
        return console;
    }

    /** The first on the calling thread. */
    static void copy(InputStream printed, Path log, int maxBytes, LogPace pace) {
        new Console(log, maxBytes, pace, 1).run(printed, false);
    }

    private void start(InputStream printed, boolean error) {
        Thread.ofPlatform()
                .daemon()
                .name((error ? "errors-" : "console-") + log.getFileName())
                .stackSize(STACK_BYTES)
                .start(() -> run(printed, error));
    }

    /** Waits until all is written that was printed; false after {@code millis}. */
    boolean awaitEnd(long millis) throws InterruptedException {
        return ended.await(millis, TimeUnit.MILLISECONDS);
    }

    private void run(InputStream printed, boolean error) {
        byte[] buffer = new byte[BUFFER_BYTES];
        try (printed) {
            for (int n = printed.read(buffer); n >= 0; n = printed.read(buffer)) {
                file.write(buffer, n, error);
                TimeUnit.NANOSECONDS.sleep(delayNanos(n));
            }
        } catch (IOException e) {
            // The pipe was closed with its process.
            LOG.debug("{}: {}", log, e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            if (running.decrementAndGet() == 0) {
                file.close();
            }
            ended.countDown();
        }
    }

    private long delayNanos(int bytes) {
        synchronized (pace) {
            return pace.delayNanos(bytes, System.nanoTime());
        }
    }
}
