package io.hyperverbs.launcher.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProgressTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream stream = new PrintStream(bytes, true, StandardCharsets.UTF_8);

    private static void work(Progress progress, int steps) {
        progress.begin("task", steps);
        for (int i = 1; i <= steps; i++) {
            progress.step("step " + i);
        }
        progress.close();
    }

    @Test
    void plainSaysEachOfAFewSteps() {
        work(new PlainProgress(stream), 3);

        assertThat(bytes.toString(StandardCharsets.UTF_8)).isEqualTo("""
            hv: task (3)
            hv: task 1/3: step 1
            hv: task 2/3: step 2
            hv: task 3/3: step 3
            """);
    }

    @Test
    void plainSaysATenthOfManySteps() {
        work(new PlainProgress(stream), 1_000);

        assertThat(bytes.toString(StandardCharsets.UTF_8).lines()).hasSize(11);
        assertThat(bytes.toString(StandardCharsets.UTF_8)).contains("1000/1000");
    }

    /** A line as wide as the terminal makes some of them begin a new one, each time. */
    @ParameterizedTest
    @ValueSource(ints = {30, 40, 80, 120})
    void barIsNeverAsWideAsTheTerminal(int columns) {
        Progress progress = new BarProgress(stream, () -> columns);
        progress.begin("measures what nobody else has measured before", 5_000);
        for (int i = 0; i < 5_000; i++) {
            progress.step("fetch-add 65536 B on forwarded-unary, round " + i);
        }
        progress.close();

        String shown = bytes.toString(StandardCharsets.UTF_8);
        assertThat(shown).contains("measures");
        assertThat(shown.split("[\r\n]")).allMatch(line -> line.length() < columns);
    }

    @Test
    void barShowsTheTask() {
        work(new BarProgress(stream, () -> 80), 50);

        assertThat(bytes.toString(StandardCharsets.UTF_8)).contains("task").contains("\r");
    }
}
