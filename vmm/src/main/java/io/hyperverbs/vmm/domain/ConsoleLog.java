package io.hyperverbs.vmm.domain;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file of a console, in bounded space: a full log is renamed to {@code NAME.1} and a new one
 * begun, so that the last lines are kept. What the disk does not take is missing, and counted. A
 * {@link StreamSwitch} is written before the first byte that is of another stream than the one
 * before it; those count to the log's space. Callable from any thread.
 */
final class ConsoleLog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ConsoleLog.class);

    private final Path log;
    private final Path switches;
    private final int maxBytes;
    private final boolean apart;
    private final Runnable rotated;
    private @Nullable FileChannel file;
    private @Nullable FileChannel switchFile;
    private boolean inError;
    private long sizeBytes;
    private long switchBytes;
    private long lostBytes;

    /**
     * @param apart whether two streams come in here: lines of our own are standard error then
     */
    ConsoleLog(Path log, int maxBytes, boolean apart) {
        this(log, maxBytes, apart, () -> {});
    }

    /**
     * @param rotated called when the file is another
     */
    ConsoleLog(Path log, int maxBytes, boolean apart, Runnable rotated) {
        this.rotated = rotated;
        this.log = log;
        this.switches = StreamSwitch.fileOf(log);
        this.maxBytes = maxBytes;
        this.apart = apart;
    }

    /** Creates the file, so that a domain that prints nothing has a log too; never fails. */
    synchronized void begin() {
        try {
            var _ = open();
        } catch (IOException e) {
            LOG.warn("{} is not written: {}", log, e.toString());
        }
    }

    /** Appends what one of the streams brought; never fails. */
    synchronized void write(byte[] buffer, int length, boolean error) {
        try {
            open();
            if (lostBytes > 0) {
                note("[hv: " + lostBytes + " bytes are missing, the disk was full]\n");
                lostBytes = 0;
            }
            // A file of the VMM's own has what its JVM wrote, too.
            if (open().size() + switchBytes + length > maxBytes) {
                rotate();
            }
            append(ByteBuffer.wrap(buffer, 0, length), error);
        } catch (IOException e) {
            boolean first = lostBytes == 0;
            lostBytes += length;
            close();
            if (first) {
                // Of the VMM's own log it comes back here.
                LOG.warn("{} is not written: {}", log, e.toString());
            }
        }
    }

    private void note(String line) throws IOException {
        append(ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8)), apart);
    }

    private void append(ByteBuffer bytes, boolean error) throws IOException {
        if (error != inError) {
            switchTo(error);
        }
        sizeBytes += bytes.remaining();
        writeAll(open(), bytes);
    }

    /** Written before the bytes it describes, so that a reader finds it. */
    private void switchTo(boolean error) throws IOException {
        FileChannel into = switchFile;
        if (into == null) {
            into = open(switches);
            switchFile = into;
            // A full disk may have taken a part of one.
            into.truncate(into.size() - into.size() % StreamSwitch.BYTES);
            switchBytes = into.size();
        }
        writeAll(into, new StreamSwitch(sizeBytes, error).bytes());
        switchBytes += StreamSwitch.BYTES;
        inError = error;
    }

    private FileChannel open() throws IOException {
        FileChannel open = file;
        if (open == null) {
            open = open(log);
            file = open;
            sizeBytes = open.size();
            if (Files.exists(switches)) {
                // What was to follow the last one may not have come.
                switchTo(false);
            }
        }
        return open;
    }

    private static FileChannel open(Path path) throws IOException {
        return FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private static void writeAll(FileChannel into, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            var _ = into.write(bytes);
        }
    }

    private void rotate() throws IOException {
        close();
        Path former = formerOf(log);
        Files.move(log, former, StandardCopyOption.REPLACE_EXISTING);
        Path formerSwitches = StreamSwitch.fileOf(former);
        Files.deleteIfExists(formerSwitches);
        if (Files.exists(switches)) {
            Files.move(switches, formerSwitches);
        }
        open();
        rotated.run();
        note("[hv: more than " + maxBytes + " bytes; the last are in " + former + "]\n");
    }

    /** What a full log is renamed to. */
    static Path formerOf(Path log) {
        return log.resolveSibling(log.getFileName() + ".1");
    }

    @Override
    public synchronized void close() {
        close(file);
        file = null;
        close(switchFile);
        switchFile = null;
        inError = false;
        switchBytes = 0;
    }

    private void close(@Nullable FileChannel open) {
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                LOG.debug("{}: {}", log, e.toString());
            }
        }
    }
}
