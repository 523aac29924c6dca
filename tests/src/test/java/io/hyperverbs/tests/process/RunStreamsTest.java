package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.ledger.InEachBuild;
import io.hyperverbs.lab.ledger.RunsWhenChanged;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program in a guest has the streams of {@code hv run}, as if it ran beside it. */
@RunsWhenChanged
class RunStreamsTest {
    private static final String PROGRAM = """
        public class Both {
            public static void main(String[] args) {
                System.out.println("out 1");
                System.err.println("err 1");
                System.out.println("out 2");
                throw new IllegalStateException("err 2");
            }
        }
        """;

    @TempDir
    Path folder;

    /** Starts guest a, which goes on when a program in it has ended. */
    private void up(HvProcess hv) throws Exception {
        Path topology = Files.writeString(folder.resolve("streams.hv.yaml"), """
            apiVersion: hv/v1
            name: streams
            hca: { core: shared }
            guests: { a: {} }
            """);
        hv.run("-t", topology.toString(), "up", "-d").expect(0);
    }

    @Test
    void standardErrorComesOnStandardError() throws Exception {
        String program = Files.writeString(folder.resolve("Both.java"), PROGRAM).toString();
        try (HvProcess hv = new HvProcess()) {
            HvProcess.Outcome alone = hv.run("run", program).expect(1);

            assertThat(alone.out()).isEqualTo("out 1\nout 2\n");
            assertThat(alone.err())
                    .startsWith("err 1\nException in thread \"main\" ")
                    .contains("IllegalStateException: err 2");

            up(hv);
            HvProcess.Outcome inside = hv.run("run", "--in", "a", program).expect(1);

            assertThat(inside.out()).isEqualTo("out 1\nout 2\n");
            assertThat(inside.err()).startsWith("err 1\n").contains("err 2");
            assertThat(hv.run("logs", "a").expect(0).out()).contains("out 1\n", "err 1\n", "out 2\n", "err 2");
            assertThat(hv.run("logs", "--stream", "out", "a").expect(0).out()).isEqualTo(inside.out());
            assertThat(hv.run("logs", "--stream", "err", "a").expect(0).out()).isEqualTo(inside.err());
        }
    }

    /** More than the VMM reads at once, so that its last lines are still in the pipe when the program has ended. */
    @Test
    void theLastLinesOfAFloodComeThoughItsGuestGoesOn() throws Exception {
        String floods = """
            public class Floods {
                public static void main(String[] args) {
                    System.out.print("a line of a flood\\n".repeat(300_000) + "the last line");
                    System.err.print("the last error");
                }
            }
            """;
        String program =
                Files.writeString(folder.resolve("Floods.java"), floods).toString();
        try (HvProcess hv = new HvProcess()) {
            up(hv);

            HvProcess.Outcome flood = hv.run("run", "--in", "a", program).expect(0);

            assertThat(flood.out().equals("a line of a flood\n".repeat(300_000) + "the last line"))
                    .as("%d characters are all", flood.out().length())
                    .isTrue();
            assertThat(flood.err()).isEqualTo("the last error");
        }
    }

    @InEachBuild
    @Test
    void standardInputReachesTheProgram() throws Exception {
        String reads = """
            public class Reads {
                public static void main(String[] args) throws Exception {
                    var crc = new java.util.zip.CRC32();
                    byte[] all = System.in.readAllBytes();
                    crc.update(all);
                    System.out.println(all.length + " " + crc.getValue());
                }
            }
            """;
        String program = Files.writeString(folder.resolve("Reads.java"), reads).toString();
        // Many times what a pipe holds.
        byte[] text = new byte[1_000_003];
        new Random(7).nextBytes(text);
        CRC32 crc = new CRC32();
        crc.update(text);
        try (HvProcess hv = new HvProcess()) {
            assertThat(hv.run("run", program).expect(0).out()).isEqualTo("0 0\n");

            hv.reading(Files.write(folder.resolve("input"), text));

            assertThat(hv.run("run", program).expect(0).out()).isEqualTo(text.length + " " + crc.getValue() + "\n");
        }
    }
}
