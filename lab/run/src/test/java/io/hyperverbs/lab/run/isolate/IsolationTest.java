package io.hyperverbs.lab.run.isolate;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.attacks.IsolationCase;
import io.hyperverbs.lab.attacks.catalogue.Isolation;
import io.hyperverbs.lab.run.isolate.IsolationResult.Verdict;
import io.hyperverbs.lab.run.threats.Threats;
import io.hyperverbs.launcher.failure.ExitCode;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class IsolationTest {
    private static final IsolationCase ANY = Isolation.cases(List.of()).getFirst();

    @Test
    void namesEachAttackOnceAndSaysWhereItComesFrom() {
        List<IsolationCase> all = Isolation.cases(List.of());

        assertThat(all).extracting(IsolationCase::name).doesNotHaveDuplicates();
        assertThat(all).allSatisfy(one -> {
            assertThat(one.name()).matches("[a-z]+\\.[a-z-]+");
            assertThat(one.rows()).isNotEmpty().allMatch(row -> Threats.has(row) || row.equals("T15"));
            assertThat(one.anchor()).isNotBlank();
            assertThat(one.expected()).isNotBlank();
        });
    }

    @Test
    void choosesByNameGroupAndRow() {
        assertThat(Isolation.cases(List.of("keys.wrap"))).hasSize(1);
        assertThat(Isolation.cases(List.of("A4")))
                .isNotEmpty()
                .allMatch(one -> one.rows().contains("A4"));
        assertThat(Isolation.cases(List.of("keys")))
                .extracting(IsolationCase::group)
                .hasSizeGreaterThan(3)
                .containsOnly("keys");
    }

    @Test
    void exitsWithTheWorstVerdict() {
        assertThat(exit()).isEqualTo(ExitCode.OK);
        assertThat(exit(Verdict.CONTAINED, Verdict.CONTAINED)).isEqualTo(ExitCode.OK);
        assertThat(exit(Verdict.CONTAINED, Verdict.FAILED)).isEqualTo(ExitCode.CHECK_FAILED);
        assertThat(exit(Verdict.FAILED, Verdict.BREACH)).isEqualTo(ExitCode.BREACH);
        assertThat(ExitCode.BREACH.number()).isEqualTo(7);
    }

    private static ExitCode exit(Verdict... verdicts) {
        return IsolationRun.exitCode(Stream.of(verdicts)
                .map(v -> new IsolationResult(ANY, v, "seen"))
                .toList());
    }
}
