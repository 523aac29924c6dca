package io.hyperverbs.vmm.domain;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

class ConsoleTest {
    private static final int MAX_BYTES = 20_000;

    @TempDir Path folder;

    private Path print(String text) {
        Path log = folder.resolve("a.log");
        Console.copy(
                new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), log, MAX_BYTES);
        return log;
    }

    @Test
    void writesWhatIsPrinted() throws Exception {
        Path log = print("one\ntwo\n");

        assertThat(log).hasContent("one\ntwo\n");
        assertThat(folder.resolve("a.log.1")).doesNotExist();
    }

    @Test
    void keepsTheLastLinesOfAFloodInBoundedSpaceAndSaysSo() throws Exception {
        Path log = print("flood\n".repeat(100_000) + "the last line\n");

        Path former = folder.resolve("a.log.1");
        assertThat(Files.size(former)).isBetween(MAX_BYTES / 2L, (long) MAX_BYTES);
        assertThat(Files.size(log)).isLessThan(MAX_BYTES + 200L);
        assertThat(Files.readString(log))
                .startsWith("[hv: more than 20000 bytes; the last are in " + former + "]\n")
                .endsWith("the last line\n");
    }
}
