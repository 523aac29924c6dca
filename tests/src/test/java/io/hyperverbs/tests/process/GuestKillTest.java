package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.tests.machine.TestMachine;
import io.hyperverbs.tests.programs.Survivor;
import io.hyperverbs.tests.programs.Victim;
import io.hyperverbs.toolstack.machine.CardView;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.DomainState;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;

/**
 * Guests killed with -9 in the middle of traffic, one after the other. {@code -Dkills=50} for the
 * long run; a build does fewer.
 */
class GuestKillTest {
    private static final int KILLS = Integer.getInteger("kills", 10);

    @Test
    void peersSeeSilenceAndNothingElse() throws Exception {
        try (TestMachine machine =
                new TestMachine(
                        List.of(TestMachine.guest("s", "bypass")),
                        Map.of(
                                "s",
                                TestMachine.program(Survivor.class, Integer.toString(KILLS))))) {
            machine.awaitKey("domain/s/up");
            CardView.Share survivorAlone = share(machine, "s");
            for (int round = 1; round <= KILLS; round++) {
                String victim = "v" + round;
                DomainReport started =
                        machine.add(
                                TestMachine.guest(victim, "bypass"),
                                TestMachine.program(Victim.class, "s"));
                machine.awaitKey("domain/s/busy-" + round);

                assertThat(ProcessHandle.of(started.pid()).orElseThrow().destroyForcibly())
                        .isTrue();

                DomainReport ended = machine.awaitEnd(victim);
                assertThat(ended.state()).isEqualTo(DomainState.CRASHED);
                assertThat(machine.awaitKey("domain/s/result-" + round))
                        .as("kill %d", round)
                        .isEqualTo("RETRY_EXC_ERR ERR intact");
                CardView card = CardView.read(machine.client());
                assertThat(card.shareOf(ended.id()))
                        .as("what the HCA still holds of %s", victim)
                        .isEqualTo(new CardView.Share(0, 0, 0, 0));
            }
            assertThat(machine.awaitEnd("s").exitCode()).as("%s", machine.console("s")).isZero();
            assertThat(survivorAlone.mr()).isEqualTo(2);
            assertThat(backend(machine).state()).isEqualTo(DomainState.RUNNING);
            CardView card = CardView.read(machine.client());
            assertThat(card.queuePairs()).isEmpty();
            assertThat(card.completionQueues()).isEmpty();
            assertThat(card.regions()).isEmpty();
        }
    }

    private static CardView.Share share(TestMachine machine, String name) throws Exception {
        DomainReport report =
                machine.client()
                        .awaitDomain(name, EnumSet.of(DomainState.RUNNING), Duration.ofSeconds(30));
        return CardView.read(machine.client()).shareOf(report.id());
    }

    private static DomainReport backend(TestMachine machine) throws Exception {
        return machine.client().status().domains().stream()
                .filter(domain -> domain.name().equals("backend"))
                .findFirst()
                .orElseThrow();
    }
}
