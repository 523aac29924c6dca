package io.hyperverbs.vmm.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GuestWatchTest {
    @TempDir
    Path folder;

    @Test
    void countsThreads() throws Exception {
        Path status = folder.resolve("status");
        Files.writeString(status, "Name:\tjava\nThreads:\t1024\nSigQ:\t0/1\n");
        assertThat(GuestWatch.excessOfThreads(status)).isNull();

        Files.writeString(status, "Name:\tjava\nThreads:\t1025\nSigQ:\t0/1\n");

        assertThat(GuestWatch.excessOfThreads(status)).isEqualTo("more than 1024 threads");
        assertThat(GuestWatch.excessOfThreads(folder.resolve("gone"))).isNull();
    }
}
