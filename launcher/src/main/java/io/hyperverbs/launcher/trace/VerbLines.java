package io.hyperverbs.launcher.trace;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Cuts a verb log into its lines as it comes. Of a line that is longer than a driver's, the first bytes count; one
 * without an end is none yet.
 */
public final class VerbLines extends OutputStream {
    /** What a driver cuts its lines to, with the line feed. */
    static final int MAX_LINE_BYTES = 4096;

    /** Takes lines. */
    @FunctionalInterface
    public interface Sink {
        /** One line, without its line feed. */
        void line(byte[] line) throws IOException;
    }

    private final Sink sink;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    public VerbLines(Sink sink) {
        this.sink = sink;
    }

    @Override
    public void write(int b) throws IOException {
        if (b == '\n') {
            byte[] whole = line.toByteArray();
            line.reset();
            sink.line(whole);
        } else if (line.size() < MAX_LINE_BYTES) {
            line.write(b);
        }
    }
}
