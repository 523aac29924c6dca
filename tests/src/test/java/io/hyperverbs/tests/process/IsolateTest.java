package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hyperverbs.lab.attacks.IsolationCase;
import io.hyperverbs.lab.attacks.catalogue.Isolation;
import io.hyperverbs.lab.ledger.InEachBuild;
import io.hyperverbs.lab.ledger.Proof;
import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.lab.run.isolate.AttackedMachine;
import io.hyperverbs.lab.run.isolate.Baseline;
import io.hyperverbs.tests.machine.TestMachine;
import io.hyperverbs.vmm.posix.Landlock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** {@code hv isolate} from start to end; {@link HvProcess#close} sees that nothing is left. */
@Order(2)
@RunsWhenChanged
class IsolateTest {
    private static final Duration LIMIT = Duration.ofMinutes(8);

    /** Those that are judged by paces are made by {@link NeighbourPaceTest}, alone. */
    @Test
    void containsEveryAttack() throws Exception {
        List<String> attacks = Isolation.cases(List.of()).stream()
                .filter(one -> !one.timed())
                .map(IsolationCase::name)
                .toList();
        List<String> args = new ArrayList<>(List.of("isolate"));
        args.addAll(attacks);
        args.addAll(List.of("--core", "shared", "--format", "json", "--seed", "20061"));
        args.addAll(List.of("--duration", "400ms"));
        try (HvProcess hv = new HvProcess()) {
            JsonNode found =
                    hv.run(LIMIT, args.toArray(String[]::new)).expect(0).json();

            PromisedVerdicts.assertAsPromised(found, attacks);
        }
    }

    /** Whatever this computer's best tier is, the one without namespaces is tried as well. */
    @Test
    void containsAttacksOfProcessesWithoutNamespaces() throws Exception {
        assumeTrue(Landlock.abi() >= Landlock.ABI_SCOPES, "Landlock is too old");
        boolean all = Proof.NO_NAMESPACES.isDue();
        List<String> groups = all ? List.of("process", "sandbox", "channel", "floods") : List.of("process", "sandbox");
        List<String> args = new ArrayList<>(List.of("isolate"));
        args.addAll(groups);
        args.addAll(List.of("--core", "shared", "--sandbox", "1b", "--duration", "400ms", "--format", "json"));
        // Attack process.inheritance looks for it.
        try (HvProcess hv = new HvProcess().with("JAVA_TOOL_OPTIONS", "-Dhyperverbs.injected=yes")) {
            JsonNode found =
                    hv.run(LIMIT, args.toArray(String[]::new)).expect(0).json();

            PromisedVerdicts.assertAsPromised(
                    found,
                    Isolation.cases(groups).stream().map(IsolationCase::name).toList());
        }
        if (all) {
            Proof.NO_NAMESPACES.note();
        }
    }

    @Test
    void judgeSeesAVictimThatDied() throws Exception {
        try (TestMachine machine = new TestMachine(List.of(), Map.of())) {
            AttackedMachine attacked = AttackedMachine.start(machine.launcher(), machine.machine(), LIMIT);
            Baseline before = attacked.baseline();
            assertThat(attacked.harm(before)).isNull();

            long bob = machine.client().status().domains().stream()
                    .filter(domain -> domain.name().equals("bob"))
                    .findFirst()
                    .orElseThrow()
                    .pid();
            assertThat(ProcessHandle.of(bob).orElseThrow().destroyForcibly()).isTrue();
            machine.awaitEnd("bob");

            assertThat(attacked.harm(before)).contains("bob");
        }
    }

    @InEachBuild
    @Test
    void refusesAnAttackThatIsNone() throws Exception {
        try (HvProcess hv = new HvProcess()) {
            HvProcess.Outcome outcome = hv.run("isolate", "keys.gessing").expect(2);

            assertThat(outcome.err()).contains("keys.gessing").contains("keys.guessing");
        }
    }
}
