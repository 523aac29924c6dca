package io.hyperverbs.toolstack.isolate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.toolstack.isolate.Isolation;
import io.hyperverbs.toolstack.isolate.IsolationCase;
import io.hyperverbs.toolstack.isolate.run.IsolationResult.Verdict;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

class LongReportTest {
    private static final IsolationCase ATTACK =
            Isolation.cases(List.of("keys.guessing")).getFirst();

    @TempDir Path folder;

    @Test
    void countsWhatAnAttackSaysItTried() {
        assertThat(LongReport.trials("200000 tries, 0 hits")).isEqualTo(200_000);
        assertThat(LongReport.trials("764 x SUCCESS, 10 x LOC_QP_OP_ERR")).isEqualTo(774);
        assertThat(LongReport.trials("nothing outside can be written")).isEqualTo(1);
    }

    @Test
    void boundsWhatNeverFailedAndIsOnDiskAtOnce() throws IOException {
        Path file = folder.resolve("report.md");
        LongReport report = new LongReport(file, "Seeds 1 to 2.");

        report.add(new IsolationResult(ATTACK, Verdict.CONTAINED, "200000 tries, 0 hits"), 1);
        report.add(new IsolationResult(ATTACK, Verdict.CONTAINED, "100000 tries, 0 hits"), 2);

        assertThat(Files.readString(file))
                .contains("| `keys.guessing` | B3 | 2 | 2 | 300000 | 0 | 1.0e-05 |");
    }

    @Test
    void boundsNothingThatFailedAndSaysHow() throws IOException {
        LongReport report = new LongReport(folder.resolve("report.md"), "Seed 5.");

        report.add(new IsolationResult(ATTACK, Verdict.BREACH, "bytes landed"), 5);

        assertThat(report.text())
                .contains("| 1 | - |")
                .contains("- `keys.guessing`, seed 5, breach: bytes landed");
    }

    @Test
    void tellsHowLongCleaningTook() throws IOException {
        LongReport report = new LongReport(folder.resolve("report.md"), "Seed 5.");
        for (int millis = 1; millis <= 100; millis++) {
            report.killed(millis);
        }

        assertThat(report.text())
                .contains("killed amid an attack: 100, of which not clean 0, bound 3.0e-02")
                .contains("50 ms (median), 99 ms (p99), 100 ms (max)");

        report.killed(-1);

        assertThat(report.text()).contains("101, of which not clean 1, bound -");
    }
}
