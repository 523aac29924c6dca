package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.attacks.IsolationCase;
import io.hyperverbs.lab.attacks.catalogue.Isolation;
import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.lab.run.isolate.AttackedMachine;
import io.hyperverbs.lab.run.isolate.IsolationResult;
import io.hyperverbs.lab.run.isolate.IsolationResult.Verdict;
import io.hyperverbs.lab.run.isolate.IsolationRun;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.tests.machine.BrokenDistribution;
import io.hyperverbs.tests.machine.TestMachine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** Attacks notice when what they attack is broken. */
@RunsWhenChanged
class BreachTest {
    private static final Path COPY = Path.of("target/broken-dist").toAbsolutePath();
    private static final Duration LIMIT = Duration.ofMinutes(3);

    private static final String UNCOUNTED = "channel.handles";

    @Test
    void eachCheckThatIsGoneIsSeen() throws Exception {
        BrokenDistribution.make(TestMachine.DISTRIBUTION, COPY);
        List<IsolationCase> attacks = Isolation.cases(List.of(
                "queues.unknown-opcodes",
                "queues.producer-jump",
                "keys.boundaries",
                "peers.unwelcome",
                "memory.foreign-frames",
                UNCOUNTED));

        List<IsolationResult> results;
        try (TestMachine machine = new TestMachine(COPY)) {
            AttackedMachine attacked = AttackedMachine.start(machine.launcher(), machine.machine(), LIMIT);
            results = new IsolationRun(attacked, 1, Duration.ofSeconds(1)).run(attacks, _ -> {});
        }

        assertThat(results).hasSize(6);
        assertThat(results).extracting(IsolationResult::verdict).containsOnly(Verdict.BREACH);
        assertThat(results)
                .filteredOn(result -> result.attack().name().equals(UNCOUNTED))
                .extracting(IsolationResult::observed)
                .singleElement(InstanceOfAssertFactories.STRING)
                .contains("left no trace");
        assertThat(IsolationRun.exitCode(results)).isEqualTo(ExitCode.BREACH);
    }
}
