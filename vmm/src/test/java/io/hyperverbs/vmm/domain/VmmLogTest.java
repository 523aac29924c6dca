package io.hyperverbs.vmm.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VmmLogTest {
    private static final int MAX_BYTES = 20_000;

    @TempDir
    Path folder;

    @Test
    void aFloodOfTheVmmsOwnWordsTakesBoundedSpaceAndKeepsTheLast() throws Exception {
        Path log = folder.resolve("vmm.log");
        try (PrintStream stream = new PrintStream(new VmmLog(log, MAX_BYTES), true, StandardCharsets.UTF_8)) {
            for (int i = 0; i < 10_000; i++) {
                stream.println("warning " + i);
            }
        }

        assertThat(Files.size(log)).isLessThan(MAX_BYTES + 200L);
        assertThat(Files.size(folder.resolve("vmm.log.1"))).isBetween(MAX_BYTES / 2L, (long) MAX_BYTES);
        assertThat(Files.readString(log))
                .startsWith("[hv: more than 20000 bytes; ")
                .endsWith("warning 9999\n");
        try (var files = Files.list(folder)) {
            assertThat(files).hasSize(2);
        }
    }

    /** As the JVM does on SIGQUIT. */
    @Test
    void whatOthersAppendCountsToTheSpace() throws Exception {
        Path log = folder.resolve("vmm.log");
        try (PrintStream stream = new PrintStream(new VmmLog(log, MAX_BYTES), true, StandardCharsets.UTF_8)) {
            stream.println("before");
            Files.writeString(log, "threads".repeat(3_000), StandardOpenOption.APPEND);
            stream.println("after");
        }

        assertThat(Files.readString(folder.resolve("vmm.log.1"))).startsWith("before\nthreads");
        assertThat(Files.readString(log)).endsWith("after\n").doesNotContain("threads");
    }
}
