package io.hyperverbs.toolstack.progress;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

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

        assertThat(bytes.toString(StandardCharsets.UTF_8))
                .isEqualTo(
                        """
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

    @Test
    void barShowsTheTask() {
        work(new BarProgress(stream), 50);

        assertThat(bytes.toString(StandardCharsets.UTF_8)).contains("task").contains("\r");
    }
}
