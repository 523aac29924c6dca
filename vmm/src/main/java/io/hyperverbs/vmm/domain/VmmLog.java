package io.hyperverbs.vmm.domain;

import io.hyperverbs.vmm.posix.PosixException;
import io.hyperverbs.vmm.posix.StandardStreams;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The VMM's own log, in the bounded space that a domain's has ({@link ConsoleLog}). What its JVM
 * says past {@link System#out}, when it crashes and on SIGQUIT, goes to the same file, as no thread
 * of this process could read a pipe then. Callable from any thread.
 */
public final class VmmLog extends OutputStream {
    private static final Logger LOG = LoggerFactory.getLogger(VmmLog.class);

    private final Path log;
    private final ConsoleLog file;
    private volatile boolean hasStandardStreams;

    /** Nothing is written yet. */
    public VmmLog(Path log) {
        this(log, Console.MAX_BYTES);
    }

    VmmLog(Path log, int maxBytes) {
        this.log = log;
        this.file = new ConsoleLog(log, maxBytes, false, this::rotated);
    }

    @Override
    public void write(int octet) {
        write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        file.write(Arrays.copyOfRange(bytes, offset, offset + length), length, false);
    }

    /** From here on what goes to descriptors 1 and 2 comes here, also after the file is another. */
    public void takeStandardStreams() throws PosixException {
        file.begin();
        StandardStreams.appendTo(log);
        hasStandardStreams = true;
    }

    private void rotated() {
        if (!hasStandardStreams) {
            return;
        }
        try {
            StandardStreams.appendTo(log);
        } catch (PosixException e) {
            LOG.warn("the JVM writes on to the former {}: {}", log, e.toString());
        }
    }

    @Override
    public void close() {
        file.close();
    }
}
