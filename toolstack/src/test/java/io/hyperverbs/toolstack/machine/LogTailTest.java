package io.hyperverbs.toolstack.machine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

class LogTailTest {
    @TempDir Path folder;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

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
    void takesWhatWasWrittenJustBeforeTheEnd() throws Exception {
        Path log = Files.writeString(folder.resolve("l"), "");

        new LogTail(log, 0)
                .follow(
                        out,
                        () -> {
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
}
