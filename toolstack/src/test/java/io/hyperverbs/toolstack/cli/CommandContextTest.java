package io.hyperverbs.toolstack.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.output.Table;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CommandContextTest {
    private static final byte[] GUEST = "a\u001b]52;c;eA==\u0007\u009b2J\u202eb\rc\n".getBytes(StandardCharsets.UTF_8);
    private static final String VISIBLE = "a\\x1b]52;c;eA==\\x07\\u009b2J\\u202eb\\rc\n";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private CommandContext context(boolean terminal) {
        return new CommandContext(new CliEnvironment(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                Map.of(),
                Path.of(""),
                new Screen(terminal, terminal, () -> 40)));
    }

    @Test
    void terminalSeesWhatGuestsWroteAndObeysNothing() throws IOException {
        try (OutputStream console = context(true).guestOut(false);
                OutputStream errors = context(true).guestErr(false)) {
            console.write(GUEST);
            errors.write(GUEST);
        }

        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(VISIBLE);
        assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo(VISIBLE);
    }

    @Test
    void pipesAndRawGetEveryByte() throws IOException {
        try (OutputStream console = context(false).guestOut(false);
                OutputStream errors = context(true).guestErr(true)) {
            console.write(GUEST);
            errors.write(GUEST);
        }

        assertThat(out.toByteArray()).isEqualTo(GUEST);
        assertThat(err.toByteArray()).isEqualTo(GUEST);
    }

    @Test
    void ownTextThatHoldsAGuestsIsVisibleToo() {
        CommandContext context = context(true);

        context.print("name \u001b[31m");
        context.text("text \u202e\n");
        context.note("its console ends with: \u001bc");
        context.fail(new HvException(ExitCode.FAILURE, "console: \u009bx", "hint \r"));
        context.stackTrace(new IllegalStateException("\u001b[2J"));

        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("name \\x1b[31m\ntext \\u202e\n");
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("\\x1bc", "\\u009bx", "\\x1b[2J")
                .doesNotContain("\u001b", "\u009b", "\r");
    }

    @Test
    void longLinesGoOnBelowOnATerminal() {
        String line = "  - lqpn 0x000011  rqpn 0x000012  state RTS  pd 3\n";

        context(true).folded(line);

        assertThat(out.toString(StandardCharsets.UTF_8))
                .isEqualTo("  - lqpn 0x000011  rqpn 0x000012\n      state RTS  pd 3\n");
    }

    @Test
    void longLinesStayWholeInAPipe() {
        String line = "word ".repeat(30).strip() + "\n";

        context(false).folded(line);

        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(line);
    }

    @Test
    void saysWhichColumnsHadNoRoom() {
        Table table = new Table("hv.test/1", "rows", "NAME", "LONG", "LESS")
                .row("x".repeat(20), "y".repeat(14), "z".repeat(10))
                .dropFirst("LESS");

        context(true).print(table);

        assertThat(out.toString(StandardCharsets.UTF_8).lines()).allMatch(line -> line.length() <= 40);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualTo("hv: no room for LESS; --wide shows all" + System.lineSeparator());
    }
}
