package io.hyperverbs.lab.run.isolate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.lab.attacks.IsolationCase;
import io.hyperverbs.lab.attacks.catalogue.Isolation;
import io.hyperverbs.lab.run.isolate.IsolationResult.Verdict;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LongReportTest {
    private static final IsolationCase ATTACK =
            Isolation.cases(List.of("keys.guessing")).getFirst();

    @TempDir
    Path folder;

    @Test
    void countsWhatAnAttackSaysItTried() {
        assertThat(LongReport.trials("200000 tries, 0 hits")).isEqualTo(200_000);
        assertThat(LongReport.trials("764 x SUCCESS, 10 x LOC_QP_OP_ERR")).isEqualTo(774);
        assertThat(LongReport.trials("nothing outside can be written")).isEqualTo(1);
    }

    @Test
    void boundsWhatNeverFailedAndIsOnDiskAtOnce() throws IOException {
        Path file = folder.resolve("report.md");
        LongReport report = new LongReport(file);

        report.add(new IsolationResult(ATTACK, Verdict.CONTAINED, "200000 tries, 0 hits"), 1);
        report.add(new IsolationResult(ATTACK, Verdict.CONTAINED, "100000 tries, 0 hits"), 2);

        assertThat(Files.readString(file)).contains("| `keys.guessing` | B3 | 2 | 2 | 300000 | 0 | 1.0e-05 |");
        assertThat(Files.readString(LongReport.page(file)))
                .contains("<td>300000</td><td class=\"good\">0</td><td>1.0e-05</td>");
    }

    @Test
    void boundsNothingThatFailedAndSaysHow() throws IOException {
        LongReport report = new LongReport(folder.resolve("report.md"));

        report.add(new IsolationResult(ATTACK, Verdict.BREACH, "bytes landed"), 5);

        assertThat(report.text()).contains("| 1 | - |").contains("- `keys.guessing`, seed 5, breach: bytes landed");
    }

    @Test
    void hasTheSoakAtItsEnd() throws IOException {
        LongReport report = new LongReport(folder.resolve("report.md"));
        report.add(new IsolationResult(ATTACK, Verdict.CONTAINED, "3 tries"), 1);
        assertThat(report.exitCode()).isEqualTo(ExitCode.OK);

        report.soaked(List.of("35 faults", "VMM: live objects <5 %"), ExitCode.CHECK_FAILED);

        assertThat(report.text()).endsWith("## Soak\n\n- 35 faults\n- VMM: live objects <5 %\n");
        assertThat(report.html()).contains("<h2>Soak</h2>", "<p>VMM: live objects &lt;5 %</p>");
        assertThat(report.exitCode()).isEqualTo(ExitCode.CHECK_FAILED);

        report.killed(-1);

        assertThat(report.exitCode()).isEqualTo(ExitCode.BREACH);
    }

    @Test
    void goesOnWhereItWasBrokenOff() throws Exception {
        Path file = folder.resolve("run.jsonl");
        IsolationResult seen = new IsolationResult(ATTACK, Verdict.CONTAINED, "20 tries", "rejected_verb +20");
        LongLog log = LongLog.begin(file, new LongLog.Plan(7, 2, 1000));
        log.add(seen, 7);
        log.killed(12);
        Files.writeString(file, "{\"case\":\"keys.gue", StandardOpenOption.APPEND);
        LongReport report = new LongReport(folder.resolve("run.md"));

        LongLog resumed = LongLog.resume(file, report);
        resumed.add(seen, 8);

        assertThat(resumed.plan()).isEqualTo(new LongLog.Plan(7, 2, 1000));
        assertThat(resumed.has(ATTACK, 7)).isTrue();
        assertThat(resumed.has(ATTACK, 9)).isFalse();
        assertThat(resumed.kills()).isEqualTo(1);
        assertThat(report.text()).contains("| 1 | 1 | 20 | 0 |", "amid an attack: 1");
        assertThat(LongLog.resume(file, report).has(ATTACK, 8)).isTrue();
    }

    @Test
    void doesNotGoOnWithWhatIsNoLog() throws IOException {
        LongReport report = new LongReport(folder.resolve("run.md"));
        Path file = Files.writeString(folder.resolve("run.jsonl"), "{}\n");

        assertThatThrownBy(() -> LongLog.resume(file, report))
                .isInstanceOf(HvException.class)
                .hasMessageContaining("not the log of a long run");
        assertThatThrownBy(() -> LongLog.resume(folder.resolve("none"), report))
                .isInstanceOf(HvException.class)
                .hasMessageContaining("no run to go on with");
    }

    @Test
    void tellsHowLongCleaningTook() throws IOException {
        LongReport report = new LongReport(folder.resolve("report.md"));
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
