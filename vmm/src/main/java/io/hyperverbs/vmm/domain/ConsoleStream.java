package io.hyperverbs.vmm.domain;

import io.hyperverbs.vmm.posix.PipeReader;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One of the streams that a domain prints to, and how much of it is in the log. Reading and writing down are one step to
 * those who ask, so that what has left the pipe counts as written; nothing waits for the domain in that step. One thread
 * runs it, any may ask.
 */
final class ConsoleStream {
    private static final Logger LOG = LoggerFactory.getLogger(ConsoleStream.class);
    private static final int BUFFER_BYTES = 8 << 10;

    private final PipeReader printed;
    private final ConsoleLog log;
    private final LogPace pace;
    private final boolean error;
    private long writtenBytes;
    private boolean ended;

    /**
     * @param pace shared with the other streams of the log
     * @param error whether it is standard error
     */
    ConsoleStream(PipeReader printed, ConsoleLog log, LogPace pace, boolean error) {
        this.printed = printed;
        this.log = log;
        this.pace = pace;
        this.error = error;
    }

    /** Writes down what is printed until its end, which is that of all processes that hold the write end. */
    void run() {
        byte[] buffer = new byte[BUFFER_BYTES];
        try {
            int taken = 0;
            while (taken >= 0) {
                TimeUnit.NANOSECONDS.sleep(delayNanos(taken));
                printed.awaitReadable();
                taken = take(buffer);
            }
        } catch (IOException e) {
            LOG.warn("an output is not read any more: {}", e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            end();
        }
    }

    private synchronized int take(byte[] buffer) throws IOException {
        int taken = printed.readNow(buffer);
        if (taken > 0) {
            log.write(buffer, taken, error);
            writtenBytes += taken;
            notifyAll();
        }
        return taken;
    }

    /** Reads no more; whoever prints learns it. */
    synchronized void end() {
        ended = true;
        printed.close();
        notifyAll();
    }

    private long delayNanos(int bytes) {
        synchronized (pace) {
            return pace.delayNanos(bytes, System.nanoTime());
        }
    }

    /**
     * Waits until what was printed before this call is in the log.
     *
     * @param endNanos by {@link System#nanoTime}
     * @return false when it is that late
     */
    synchronized boolean awaitWritten(long endNanos) throws InterruptedException {
        try {
            long printedBytes = ended ? 0 : writtenBytes + printed.available();
            while (!ended && writtenBytes < printedBytes) {
                long leftMillis = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
                if (leftMillis <= 0) {
                    return false;
                }
                wait(leftMillis);
            }
            return true;
        } catch (IOException e) {
            LOG.warn("nobody knows what is left of an output: {}", e.toString());
            return false;
        }
    }
}
