package io.hyperverbs.launcher.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.vmm.domain.StreamSwitch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class LogTailTest {
    @TempDir
    Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private String copied() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void copiesEachByteOnce() throws Exception {
        Path log = Files.writeString(folder.resolve("l"), "one\n");
        LogTail tail = new LogTail(log, 0);

        tail.copy(out);
        tail.copy(out);
        Files.writeString(log, "two\n", StandardOpenOption.APPEND);
        tail.copy(out);

        assertThat(copied()).isEqualTo("one\ntwo\n");
    }

    @Test
    void beginsWhereItIsTold() throws Exception {
        Path log = Files.writeString(folder.resolve("l"), "old\nnew\n");

        new LogTail(log, 4).copy(out);

        assertThat(copied()).isEqualTo("new\n");
    }

    @Test
    void beginsAnewWithANewFile() throws Exception {
        Path log = Files.writeString(folder.resolve("l"), "a long first life\n");
        LogTail tail = new LogTail(log, 0);
        tail.copy(out);
        Files.writeString(log, "second\n");

        tail.copy(out);

        assertThat(copied()).endsWith("second\n");
    }

    @Test
    void waitsForAFileThatIsNotThereYet() throws Exception {
        assertThat(new LogTail(folder.resolve("no"), 0).copy(out)).isZero();
    }

    @Test
    @Timeout(60)
    void endsThoughOthersPrintOn() throws Exception {
        Path log = Files.writeString(folder.resolve("l"), "1");
        OutputStream prints = new OutputStream() {
            @Override
            public void write(int octet) throws IOException {
                out.write(octet);
                Files.writeString(log, "x", StandardOpenOption.APPEND);
            }
        };

        new LogTail(log, 0).follow(prints, () -> true);

        assertThat(copied()).isEqualTo("1");
    }

    @Test
    void takesWhatWasWrittenJustBeforeTheEnd() throws Exception {
        Path log = Files.writeString(folder.resolve("l"), "");

        new LogTail(log, 0).follow(out, () -> {
            try {
                Files.writeString(log, "last words\n");
            } catch (java.io.IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
            return true;
        });

        assertThat(copied()).isEqualTo("last words\n");
    }

    @Test
    void findsTheLastLine() throws Exception {
        Path log = Files.writeString(folder.resolve("l"), "one\ntwo\n\n");

        assertThat(LogTail.lastLine(log)).isEqualTo("two");
        assertThat(LogTail.lastLine(folder.resolve("no"))).isEmpty();
    }

    /** As a VMM writes it: an offset, and in the lowest bit whether it is standard error. */
    private static void switchAt(Path log, long offset, boolean error) throws Exception {
        Files.write(
                StreamSwitch.fileOf(log),
                ByteBuffer.allocate(StreamSwitch.BYTES)
                        .putLong(offset << 1 | (error ? 1 : 0))
                        .array(),
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    @Test
    void sendsEachStreamToItsPlaceAsTheyGrow() throws Exception {
        Path log = Files.writeString(folder.resolve("l"), "out1\nerr1\n");
        switchAt(log, 5, true);
        LogTail tail = new LogTail(log, 0);
        tail.copy(out, err);
        // Its text has not come yet; what comes instead overrules it.
        switchAt(log, 10, false);
        switchAt(log, 10, true);
        tail.copy(out, err);
        switchAt(log, 15, false);
        Files.writeString(log, "err2\nout2\n", StandardOpenOption.APPEND);
        tail.copy(out, err);

        assertThat(copied()).isEqualTo("out1\nout2\n");
        assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo("err1\nerr2\n");
    }

    @Test
    void beginsInTheMiddleOfAStream() throws Exception {
        Path log = Files.writeString(folder.resolve("l"), "out1\nerr1\nmore\n");
        switchAt(log, 5, true);

        new LogTail(log, 10).copy(out, err);

        assertThat(copied()).isEmpty();
        assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo("more\n");
    }
}
