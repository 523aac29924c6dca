package io.hyperverbs.lab.run.isolate;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.attacks.AttackReport;
import io.hyperverbs.lab.attacks.IsolationCase;
import io.hyperverbs.lab.attacks.catalogue.Isolation;
import io.hyperverbs.lab.run.isolate.IsolationResult.Verdict;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.vmm.envelope.GroupsFound;
import io.hyperverbs.vmm.envelope.Promises;
import io.hyperverbs.vmm.sandbox.SandboxTier;
import java.util.List;
import org.junit.jupiter.api.Test;

class NotPromisedTest {
    private static final IsolationCase TABLES = attack("envelope.page-tables");
    private static final Promises WITH = Promises.of(SandboxTier.ROOT, GroupsFound.all(1), true);
    private static final Promises WITHOUT = Promises.of(SandboxTier.ROOT, GroupsFound.none(), true);

    private static IsolationCase attack(String name) {
        return Isolation.cases(List.of(name)).getFirst();
    }

    private static Verdict judged(IsolationCase attack, Verdict verdict, Promises promises) {
        IsolationResult result = new IsolationResult(attack, verdict, "2048 MiB, and more to come");
        return IsolationRun.promised(result, promises).verdict();
    }

    @Test
    void beyondALimitIsABreachWhereTheTierPromisesIt() {
        assertThat(judged(TABLES, Verdict.BREACH, WITH)).isEqualTo(Verdict.BREACH);
        assertThat(judged(TABLES, Verdict.BREACH, WITHOUT)).isEqualTo(Verdict.NOT_PROMISED);
    }

    @Test
    void nothingElseIsExcused() {
        assertThat(judged(TABLES, Verdict.FAILED, WITHOUT)).isEqualTo(Verdict.FAILED);
        assertThat(judged(TABLES, Verdict.CONTAINED, WITHOUT)).isEqualTo(Verdict.CONTAINED);
        assertThat(judged(attack("keys.wrap"), Verdict.BREACH, WITHOUT)).isEqualTo(Verdict.BREACH);
    }

    @Test
    void anAttackWithoutASocketIsContainedWhereGuestsMakeNone() {
        AttackReport report = AttackReport.parse("REFUSED well no socket can be made");

        assertThat(IsolationRun.verdict(report, in(SandboxTier.FILES))).isEqualTo(Verdict.CONTAINED);
        for (SandboxTier tier : List.of(SandboxTier.ROOT, SandboxTier.USER, SandboxTier.NONE)) {
            assertThat(IsolationRun.verdict(report, in(tier))).as("%s", tier).isEqualTo(Verdict.FAILED);
        }
    }

    private static Promises in(SandboxTier tier) {
        return Promises.ofKnownProcessor(tier, GroupsFound.none(), true);
    }

    @Test
    void itIsNoFailureAndHasAWordOfItsOwn() {
        assertThat(Verdict.NOT_PROMISED.word()).isEqualTo("not promised");
        assertThat(Verdict.NOT_PROMISED.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(Verdict.worst(List.of(Verdict.CONTAINED, Verdict.NOT_PROMISED)))
                .isEqualTo(Verdict.NOT_PROMISED);
        assertThat(Verdict.worst(List.of(Verdict.FAILED, Verdict.NOT_PROMISED))).isEqualTo(Verdict.FAILED);
    }
}
