package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperverbs.lab.attacks.VictimProgram;
import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.lab.run.isolate.AttackedMachine;
import io.hyperverbs.lab.run.isolate.Baseline;
import io.hyperverbs.tests.machine.TestMachine;
import io.hyperverbs.vmm.posix.SystemCall;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A guest that stops without ending, in the middle of traffic with another. */
@RunsWhenChanged
class StoppedGuestTest {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    /** Some seconds of traffic on a computer that does nothing else. */
    private static final int ROUNDS = 1000;

    private static final int KILL = 62;
    private static final int SIGSTOP = 19;
    private static final int SIGCONT = 18;

    @Test
    void othersGoOnAndItGoesOnWhenItIsLet() throws Exception {
        try (TestMachine machine = new TestMachine(List.of(), Map.of())) {
            AttackedMachine attacked = AttackedMachine.start(machine.launcher(), machine.machine(), LIMIT);
            Baseline before = attacked.baseline();
            long bob = pid(machine, "bob");
            // Alice writes to Bob's memory and reads from it, which takes nothing of his own.
            assertThat(SystemCall.make(KILL, bob, SIGSTOP)).isZero();
            try {
                long alice = beat(machine, "alice");
                long carol = beat(machine, "carol");
                await().atMost(LIMIT)
                        .until(() ->
                                beat(machine, "alice") > alice + ROUNDS && beat(machine, "carol") > carol + ROUNDS);
                long stopped = beat(machine, "bob");
                long on = beat(machine, "alice");
                await().atMost(LIMIT).until(() -> beat(machine, "alice") > on);

                assertThat(beat(machine, "bob")).isEqualTo(stopped);
            } finally {
                assertThat(SystemCall.make(KILL, bob, SIGCONT)).isZero();
            }

            assertThat(attacked.harm(before)).isNull();
        }
    }

    private static long pid(TestMachine machine, String name) throws Exception {
        return machine.client().status().domains().stream()
                .filter(domain -> domain.name().equals(name))
                .findFirst()
                .orElseThrow()
                .pid();
    }

    private static long beat(TestMachine machine, String name) throws Exception {
        return Long.parseLong(machine.awaitKey("domain/" + name + "/" + VictimProgram.BEAT));
    }
}
