package io.hyperverbs.toolstack.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.toolstack.cli.Desk;
import io.hyperverbs.toolstack.cli.HvException;
import io.hyperverbs.toolstack.cli.Screen;
import io.hyperverbs.toolstack.cli.Surroundings;
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

    private Desk desk() {
        return new Desk(new Surroundings(
                new PrintStream(OutputStream.nullOutputStream()),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                Map.of(),
                folder,
                Screen.none()));
    }

    @Test
    void triesThePlaceAndLeavesNothingThere() throws Exception {
        ReportPlace.of(desk(), "a/b", "standard");
        ReportPlace.of(desk(), null, "standard/b");

        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void refusesAPlaceBelowAFile() throws Exception {
        Files.writeString(folder.resolve("file"), "");

        assertThatThrownBy(() -> ReportPlace.of(desk(), "file/report", "standard"))
                .isInstanceOf(HvException.class)
                .hasMessageContaining("cannot write the report to " + folder.resolve("file/report"))
                .hasMessageContaining("--out");
    }

    @Test
    void aDiskThatIsFullAtTheEndIsSaidAndCostsTheExitCode() throws Exception {
        int exit = ReportPlace.of(desk(), "report", "standard").write(to -> {
            throw new IOException("No space left on device");
        });

        assertThat(exit).isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("cannot write the report to " + folder.resolve("report"))
                .contains("No space left on device; the figures above are complete");
    }

    @Test
    void namesThePageThatWasWritten() throws Exception {
        int exit = ReportPlace.of(desk(), "report", "standard").write(to -> to.resolve("page"));

        assertThat(exit).isZero();
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("report: " + folder.resolve("report/page"));
    }
}
