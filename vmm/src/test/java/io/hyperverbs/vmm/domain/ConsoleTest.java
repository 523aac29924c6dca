package io.hyperverbs.vmm.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConsoleTest {
    private static final int MAX_BYTES = 20_000;

    @TempDir
    Path folder;

    private Path print(String text) {
        Path log = folder.resolve("a.log");
        Console.copy(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), log, MAX_BYTES, LogPace.none());
        return log;
    }

    @Test
    void writesWhatIsPrinted() throws Exception {
        Path log = print("one\ntwo\n");

        assertThat(log).hasContent("one\ntwo\n");
        assertThat(folder.resolve("a.log.1")).doesNotExist();
    }

    @Test
    void hasALogThoughNothingIsPrinted() {
        assertThat(print("")).hasContent("");
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

    /** A folder in its place, as good as a full disk; it is there again when it is asked next. */
    @Test
    void readsOnWhileTheDiskTakesNothingAndSaysWhatIsMissing() throws Exception {
        Path log = Files.createDirectory(folder.resolve("a.log"));
        byte[] lost = "lost\n".repeat(4).getBytes(StandardCharsets.UTF_8);
        InputStream printed = new SequenceInputStream(
                new ByteArrayInputStream(lost), new ByteArrayInputStream("kept\n".getBytes(StandardCharsets.UTF_8)) {
                    @Override
                    public synchronized int read(byte[] into, int at, int length) {
                        if (Files.isDirectory(log)) {
                            var _ = log.toFile().delete();
                        }
                        return super.read(into, at, length);
                    }
                });

        Console.copy(printed, log, MAX_BYTES, LogPace.none());

        assertThat(log).hasContent("[hv: 20 bytes are missing, the disk was full]\nkept\n");
    }

    /** Which bytes are standard error, by the log alone and the file beside it. */
    private static String errors(Path log) throws Exception {
        byte[] all = Files.readAllBytes(log);
        ByteBuffer switches = ByteBuffer.wrap(Files.readAllBytes(StreamSwitch.fileOf(log)));
        BitSet error = new BitSet();
        while (switches.hasRemaining()) {
            StreamSwitch one = StreamSwitch.read(switches);
            error.set(Math.toIntExact(one.offset()), all.length, one.error());
        }
        StringBuilder text = new StringBuilder();
        error.stream().forEach(at -> text.append((char) all[at]));
        return text.toString();
    }

    @Test
    void keepsTheOrderOfBothStreamsAndSaysWhichIsWhich() throws Exception {
        Path log = folder.resolve("a.log");
        try (ConsoleLog file = new ConsoleLog(log, MAX_BYTES, true)) {
            write(file, "one\n", false);
            assertThat(StreamSwitch.fileOf(log)).doesNotExist();
            write(file, "two\n", true);
            write(file, "three\n", true);
            write(file, "four\n", false);
            write(file, "five\n", true);
        }

        assertThat(log).hasContent("one\ntwo\nthree\nfour\nfive\n");
        assertThat(errors(log)).isEqualTo("two\nthree\nfive\n");
    }

    @Test
    void changesOfStreamCountToTheSpace() throws Exception {
        Path log = folder.resolve("a.log");
        try (ConsoleLog file = new ConsoleLog(log, MAX_BYTES, true)) {
            for (int i = 0; i < MAX_BYTES; i++) {
                write(file, i % 2 == 0 ? "o" : "e", i % 2 == 1);
                assertThat(Files.size(log) + sizeOf(StreamSwitch.fileOf(log))).isLessThanOrEqualTo(MAX_BYTES + 200L);
            }
        }

        assertThat(errors(folder.resolve("a.log.1")).replaceFirst("\\[hv: .*\\n", ""))
                .matches("e{1000,}");
        assertThat(errors(log)).matches("\\[hv: more than .*\\ne+");
    }

    @Test
    void aFullDiskMixesUpNoStreams() throws Exception {
        Path log = folder.resolve("a.log");
        Path switches = StreamSwitch.fileOf(log);
        try (ConsoleLog file = new ConsoleLog(log, MAX_BYTES, true)) {
            write(file, "one\n", false);
            // A folder in its place, as good as a full disk.
            Files.createDirectory(switches);
            write(file, "lost\n", true);
            Files.delete(switches);
            // A part of an entry, as a full disk leaves it.
            Files.write(switches, new byte[] {0, 0, 0});
            write(file, "two\n", false);
            write(file, "three\n", true);
        }

        assertThat(log).hasContent("one\n[hv: 5 bytes are missing, the disk was full]\ntwo\nthree\n");
        assertThat(errors(log)).isEqualTo("[hv: 5 bytes are missing, the disk was full]\nthree\n");
    }

    @Test
    void readsBothStreamsToTheirEnds() throws Exception {
        Path log = folder.resolve("a.log");
        String text = "x".repeat(30_000);

        Console console = Console.start(
                new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
                new ByteArrayInputStream("bad\n".getBytes(StandardCharsets.UTF_8)),
                log,
                LogPace.none());

        assertThat(console.awaitEnd(30_000)).isTrue();
        assertThat(Files.readString(log).replace("bad\n", "")).isEqualTo(text);
        assertThat(errors(log)).isEqualTo("bad\n");
    }

    private static void write(ConsoleLog file, String text, boolean error) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        file.write(bytes, bytes.length, error);
    }

    private static long sizeOf(Path file) throws Exception {
        return Files.exists(file) ? Files.size(file) : 0;
    }
}
