package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.vmm.sandbox.Tools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code hv} on a terminal of 80 columns, which {@code script} of util-linux makes. */
@Order(4)
@RunsWhenChanged
class TerminalTest {
    private static final int COLUMNS = 80;
    private static final String LONG_NAME = "a-name-that-leaves-little-room";

    private static final String PROGRAM = """
        public class Colours {
            public static void main(String[] args) {
                System.out.println("\\u001b[31mred\\u0007 \\u009b2J \\u202eback, \u00e4");
                System.err.println("\\u001b]0;title\\u0007");
            }
        }
        """;

    @TempDir
    Path folder;

    @BeforeEach
    void findTheTool() {
        assumeTrue(Tools.find("script").isPresent(), "no script(1) here, which makes pseudo-terminals");
    }

    @Test
    void progressStaysOnItsLineAndGuestsCommandNothing() throws Exception {
        String program =
                Files.writeString(folder.resolve("Colours.java"), PROGRAM).toString();
        String topology = Files.writeString(folder.resolve("t.hv.yaml"), """
            apiVersion: hv/v1
            name: %s
            hca: { core: shared }
            guests: { a: {} }
            """.formatted(LONG_NAME))
                .toString();
        try (HvProcess hv = new HvProcess()) {
            String up =
                    hv.onTerminal(COLUMNS, "-t", topology, "up", "-d").expect(0).out();
            String run = hv.onTerminal(COLUMNS, "run", "--in", "a", program)
                    .expect(0)
                    .out();
            String logs = hv.onTerminal(COLUMNS, "logs", "a").expect(0).out();
            String raw = hv.onTerminal(COLUMNS, "logs", "--raw", "a").expect(0).out();

            // A bar comes again and again at the begin of its line, and is erased at last.
            assertThat(up).contains("\r").contains("starting " + LONG_NAME);
            assertThat(withoutColours(up).split("[\r\n]+")).allMatch(line -> line.length() < COLUMNS);
            for (String shown : List.of(run, logs)) {
                assertThat(shown)
                        .contains("\\x1b[31mred\\x07 \\u009b2J \\u202eback, \u00e4")
                        .contains("\\x1b]0;title\\x07")
                        .doesNotContain("\u001b", "\u0007", "\u009b", "\u202e");
            }
            assertThat(raw).contains("\u001b[31mred\u0007 \u009b2J \u202eback");
        }
    }

    private static String withoutColours(String text) {
        return text.replaceAll("\u001b\\[[0-9;?]*[A-Za-z]", "");
    }
}
