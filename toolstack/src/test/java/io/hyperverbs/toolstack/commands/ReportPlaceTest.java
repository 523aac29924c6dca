package io.hyperverbs.toolstack.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.toolstack.cli.CliEnvironment;
import io.hyperverbs.toolstack.cli.CommandContext;
import io.hyperverbs.toolstack.cli.Screen;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportPlaceTest {
    @TempDir
    Path folder;

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private CommandContext context() {
        return new CommandContext(new CliEnvironment(
                new PrintStream(OutputStream.nullOutputStream()),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                Map.of(),
                folder,
                Screen.none()));
    }

    @Test
    void triesThePlaceAndLeavesNothingThere() throws Exception {
        ReportPlace.of(context(), "a/b", "standard");
        ReportPlace.of(context(), null, "standard/b");

        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void refusesAPlaceBelowAFile() throws Exception {
        Files.writeString(folder.resolve("file"), "");

        assertThatThrownBy(() -> ReportPlace.of(context(), "file/report", "standard"))
                .isInstanceOf(HvException.class)
                .hasMessageContaining("cannot write the report to " + folder.resolve("file/report"))
                .hasMessageContaining("--out");
    }

    @Test
    void aDiskThatIsFullAtTheEndIsSaidAndCostsTheExitCode() throws Exception {
        int exit = ReportPlace.of(context(), "report", "standard").write(to -> {
            throw new IOException("No space left on device");
        });

        assertThat(exit).isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("cannot write the report to " + folder.resolve("report"))
                .contains("No space left on device; the figures above are complete");
    }

    @Test
    void namesThePageThatWasWritten() throws Exception {
        int exit = ReportPlace.of(context(), "report", "standard").write(to -> to.resolve("page"));

        assertThat(exit).isZero();
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("report: " + folder.resolve("report/page"));
    }
}
