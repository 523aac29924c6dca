package io.hyperverbs.vmm.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.vmm.posix.Pipe;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class ConsoleTest {
    private static final int MAX_BYTES = 20_000;
    private static final long DEADLINE_MILLIS = 30_000;

    @TempDir
    Path folder;

    /** Somebody who prints, as a process does that has the write end alone. */
    private static void print(Pipe to, String text) throws IOException {
        try (OutputStream out = Files.newOutputStream(to.waitingWriteEnd())) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static void awaitEnd(Console console) throws InterruptedException {
        assertThat(console.awaitEnd(DEADLINE_MILLIS)).isTrue();
    }

    private Path print(String text) throws Exception {
        Path log = folder.resolve("a.log");
        Pipe pipe = Pipe.create();
        Console console = Console.start(pipe.input(), log, MAX_BYTES, LogPace.none());
        print(pipe, text);
        pipe.writeEnd().close();
        awaitEnd(console);
        return log;
    }

    @Test
    void writesWhatIsPrinted() throws Exception {
        Path log = print("one\ntwo\n");

        assertThat(log).hasContent("one\ntwo\n");
        assertThat(folder.resolve("a.log.1")).doesNotExist();
    }

    @Test
    void hasALogThoughNothingIsPrinted() throws Exception {
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
        Pipe pipe = Pipe.create();
        Console console = Console.start(pipe.input(), log, MAX_BYTES, LogPace.none());

        print(pipe, "lost\n".repeat(4));
        assertThat(console.awaitWritten(DEADLINE_MILLIS)).isTrue();
        Files.delete(log);
        print(pipe, "kept\n");
        pipe.writeEnd().close();
        awaitEnd(console);

        assertThat(log).hasContent("[hv: 20 bytes are missing, the disk was full]\nkept\n");
    }

    /** What has left the pipe is not yet in the log by that; who asks a thousand times meets that moment. */
    @Test
    void whoWaitsFindsWhatWasPrintedBefore() throws Exception {
        Path log = folder.resolve("a.log");
        Pipe pipe = Pipe.create();
        Console console = Console.start(pipe.input(), log, LogPace.none());
        StringBuilder lines = new StringBuilder();
        for (int i = 1; i <= 1000; i++) {
            print(pipe, i + "\n");

            assertThat(console.awaitWritten(DEADLINE_MILLIS)).isTrue();
            lines.append(i).append('\n');
            assertThat(log).hasContent(lines.toString());
        }
        pipe.writeEnd().close();
        awaitEnd(console);
        assertThat(console.awaitWritten(DEADLINE_MILLIS))
                .as("when nobody prints any more")
                .isTrue();
    }

    @Test
    void whoWaitsForAGuestThatIsReadSlowlyFindsItsLastLineToo() throws Exception {
        Path log = folder.resolve("a.log");
        Pipe output = Pipe.create();
        Pipe error = Pipe.create();
        LogPace slow = new LogPace(1000, 0, System.nanoTime());
        Console console = Console.start(output.input(), error.input(), log, slow);

        print(output, "x".repeat(300));
        assertThat(console.awaitWritten(DEADLINE_MILLIS)).isTrue();
        print(output, "the last line");

        assertThat(console.awaitWritten(DEADLINE_MILLIS)).isTrue();
        assertThat(Files.readString(log)).endsWith("the last line");
        output.writeEnd().close();
        error.writeEnd().close();
        awaitEnd(console);
    }

    /** It opens its own pipe again and takes back what it has printed, whenever it comes before us. */
    @Test
    @Timeout(60)
    void whoReadsItsOwnOutputKeepsNobodyWaiting() throws Exception {
        Pipe pipe = Pipe.create();
        Console console = Console.start(pipe.input(), folder.resolve("a.log"), LogPace.none());
        try (InputStream back = Files.newInputStream(pipe.waitingWriteEnd())) {
            Thread thief = Thread.ofPlatform().start(() -> {
                try {
                    while (back.read() >= 0) {}
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            for (int i = 0; i < 2000; i++) {
                print(pipe, "x");
                boolean _ = console.awaitWritten(1);
            }
            pipe.writeEnd().close();
            thief.join();
        }
        awaitEnd(console);
    }

    @Test
    void whoWaitsTooShortLearnsThatNotAllIsWritten() throws Exception {
        Pipe pipe = Pipe.create();
        // A first piece costs the next eight seconds.
        LogPace slow = new LogPace(1000, 0, System.nanoTime());
        Console console = Console.start(pipe.input(), folder.resolve("a.log"), slow);

        print(pipe, "x".repeat(30_000));
        pipe.writeEnd().close();

        assertThat(console.awaitWritten(1)).isFalse();
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

        Pipe output = Pipe.create();
        Pipe error = Pipe.create();
        Console console = Console.start(output.input(), error.input(), log, LogPace.none());
        print(output, text);
        print(error, "bad\n");
        output.writeEnd().close();
        error.writeEnd().close();

        awaitEnd(console);
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
