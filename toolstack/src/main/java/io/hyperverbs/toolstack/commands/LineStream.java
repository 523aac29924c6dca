package io.hyperverbs.toolstack.commands;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Hands on whole lines, so that those of several guests do not mix; what is left at the end as it is. One thread. */
final class LineStream extends OutputStream {
    private final OutputStream to;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    LineStream(OutputStream to) {
        this.to = to;
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        int end = offset + length;
        while (end > offset && bytes[end - 1] != '\n') {
            end--;
        }
        if (end > offset) {
            line.write(bytes, offset, end - offset);
            line.writeTo(to);
            line.reset();
        }
        line.write(bytes, end, offset + length - end);
    }

    @Override
    public void flush() throws IOException {
        to.flush();
    }

    @Override
    public void close() throws IOException {
        line.writeTo(to);
        line.reset();
        to.close();
    }
}
