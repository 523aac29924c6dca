package io.hyperverbs.vmm.domain;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;

class GuestWatchTest {
    @TempDir Path folder;

    private void file(String name, long bytes) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(folder.resolve(name).toFile(), "rw")) {
            file.setLength(bytes);
        }
    }

    @Test
    void countsBytesOfAllFiles() throws Exception {
        Files.createDirectory(folder.resolve("below"));
        file("a", GuestWatch.MAX_BYTES / 2);
        assertThat(GuestWatch.excess(folder)).isNull();

        file("below/b", GuestWatch.MAX_BYTES / 2);

        assertThat(GuestWatch.excess(folder)).isEqualTo("more than 67108864 bytes of files");
    }

    @Test
    void countsFiles() throws Exception {
        for (int i = 0; i <= 4096; i++) {
            Files.createFile(folder.resolve("f" + i));
        }

        assertThat(GuestWatch.excess(folder)).isEqualTo("more than 4096 files");
    }

    @Test
    void countsLinksAsLinks() throws Exception {
        Files.createSymbolicLink(folder.resolve("all"), Path.of("/"));

        assertThat(GuestWatch.excess(folder)).isNull();
    }

    @Test
    void saysNothingOfAFolderThatIsGone() {
        assertThat(GuestWatch.excess(folder.resolve("gone"))).isNull();
    }

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
