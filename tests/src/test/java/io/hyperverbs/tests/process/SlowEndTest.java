package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.launcher.machine.Program;
import io.hyperverbs.tests.machine.SlowEndDistribution;
import io.hyperverbs.tests.machine.TestMachine;
import io.hyperverbs.tests.programs.Churner;
import io.hyperverbs.tests.programs.OneOfEach;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.DomainState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One domain's end takes the device domain for ever: nobody else ends, or waits. */
@RunsWhenChanged
class SlowEndTest {
    private static final Path COPY = Path.of("target/slow-end-dist").toAbsolutePath();
    private static final String SLOW = "slow";

    @TempDir
    private Path folder;

    private static DomainReport report(TestMachine machine, String name) throws Exception {
        return machine.client().status().domains().stream()
                .filter(domain -> domain.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static void kill(TestMachine machine, String name) throws Exception {
        ProcessHandle.of(report(machine, name).pid()).orElseThrow().destroyForcibly();
    }

    @Test
    void endsNobodyElseAndHoldsUpNobody() throws Exception {
        Path held = Files.createFile(folder.resolve("held"));
        SlowEndDistribution.make(TestMachine.DISTRIBUTION, COPY, SLOW, held);
        try (TestMachine machine = new TestMachine(COPY)) {
            List<String> others = new ArrayList<>(List.of("a", "b", "c", "d"));
            Map<String, Program> all = new TreeMap<>();
            others.forEach(name -> all.put(name, TestMachine.program(OneOfEach.class)));
            all.put(SLOW, TestMachine.program(OneOfEach.class));
            machine.add("bypass", all);
            for (String name : all.keySet()) {
                machine.awaitKey("domain/" + name + "/up");
            }

            kill(machine, SLOW);
            // A process that is killed later may be gone sooner.
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> report(machine, SLOW).state() == DomainState.DYING);
            for (String name : others) {
                kill(machine, name);
            }

            for (String name : others) {
                assertThat(machine.awaitEnd(name).state()).isEqualTo(DomainState.CRASHED);
                assertThat(report(machine, SLOW).state()).isEqualTo(DomainState.DYING);
            }
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> !report(machine, SLOW).message().isEmpty());
            assertThat(report(machine, SLOW).message()).isEqualTo("not let go by the device domain: no answer yet");
            // Its memory is reserved, and the machine goes on.
            assertThat(report(machine, SLOW).memoryBytes()).isPositive();
            var _ = machine.add(TestMachine.guest("late", "bypass"), TestMachine.program(Churner.class, "5", "strict"));
            assertThat(machine.output("late")).contains("5 rounds");
            assertThat(report(machine, SLOW).state()).isEqualTo(DomainState.DYING);

            Files.delete(held);

            DomainReport ended = machine.awaitEnd(SLOW);
            assertThat(ended.state()).isEqualTo(DomainState.CRASHED);
            assertThat(ended.message()).isEmpty();
        } finally {
            Files.deleteIfExists(held);
        }
    }
}
