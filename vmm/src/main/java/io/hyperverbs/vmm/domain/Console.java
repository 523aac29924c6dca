package io.hyperverbs.vmm.domain;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Writes down what a guest prints, in bounded space: a full log is renamed to {@code NAME.1} and a
 * new one begun, so that the last lines are kept. The guest has a pipe and no file of ours. One
 * thread of its own.
 */
final class Console {
    /** Bytes of one log. */
    static final int MAX_BYTES = 8 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(Console.class);
    private static final int BUFFER_BYTES = 8 << 10;
    private static final long STACK_BYTES = 256 << 10;

    private final InputStream printed;
    private final Path log;
    private final int maxBytes;
    private final CountDownLatch ended = new CountDownLatch(1);

    private Console(InputStream printed, Path log, int maxBytes) {
        this.printed = printed;
        this.log = log;
        this.maxBytes = maxBytes;
    }

    /** Writes to {@code log} until {@code printed} ends. */
    static Console start(InputStream printed, Path log) {
        Console console = new Console(printed, log, MAX_BYTES);
        Thread.ofPlatform()
                .daemon()
                .name("console-" + log.getFileName())
                .stackSize(STACK_BYTES)
                .start(console::run);
        return console;
    }

    /** The same on the calling thread. */
    static void copy(InputStream printed, Path log, int maxBytes) {
        new Console(printed, log, maxBytes).run();
    }

    /** Waits until all is written that was printed; false after {@code millis}. */
    boolean awaitEnd(long millis) throws InterruptedException {
        return ended.await(millis, TimeUnit.MILLISECONDS);
    }

    private void run() {
        byte[] buffer = new byte[BUFFER_BYTES];
        try (printed) {
            OutputStream file = open();
            try {
                int size = 0;
                for (int n = printed.read(buffer); n >= 0; n = printed.read(buffer)) {
                    if (size + n > maxBytes) {
                        file.close();
                        file = rotate();
                        size = 0;
                    }
                    file.write(buffer, 0, n);
                    size += n;
                }
            } finally {
                file.close();
            }
        } catch (IOException e) {
            // The disk is full, or the pipe was closed with its process.
            LOG.debug("{}: {}", log, e.toString());
        } finally {
            ended.countDown();
        }
    }

    private OutputStream open() throws IOException {
        return Files.newOutputStream(log, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private OutputStream rotate() throws IOException {
        Path former = log.resolveSibling(log.getFileName() + ".1");
        Files.move(log, former, StandardCopyOption.REPLACE_EXISTING);
        OutputStream file = open();
        String notice = "[hv: more than " + maxBytes + " bytes; the last are in " + former + "]\n";
        file.write(notice.getBytes(StandardCharsets.UTF_8));
        return file;
    }
}
