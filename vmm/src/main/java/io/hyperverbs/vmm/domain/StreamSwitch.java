package io.hyperverbs.vmm.domain;

import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * From which byte of a console's log on its text is of another stream of the program. A console is
 * one file in the order in which it was printed; beside it a file of these says which parts were
 * standard error. Without that file all was standard output. Of several for one byte the last
 * counts.
 *
 * @param offset in bytes from the beginning of the log
 * @param error whether it is standard error from there on
 */
public record StreamSwitch(long offset, boolean error) {
    /** Of one in its file. */
    public static final int BYTES = Long.BYTES;

    /** The file beside {@code log}. */
    public static Path fileOf(Path log) {
        return log.resolveSibling(log.getFileName() + ".err");
    }

    /** Reads one from where {@code bytes} stands. */
    public static StreamSwitch read(ByteBuffer bytes) {
        long word = bytes.getLong();
        return new StreamSwitch(word >>> 1, (word & 1) != 0);
    }

    /** As {@link #read} reads it: the offset, and in the lowest bit the stream. */
    ByteBuffer bytes() {
        return ByteBuffer.allocate(BYTES).putLong(offset << 1 | (error ? 1 : 0)).flip();
    }
}
