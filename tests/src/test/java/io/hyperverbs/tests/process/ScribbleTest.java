package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.ledger.Proof;
import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.lab.ledger.Sources;
import io.hyperverbs.lab.run.isolate.AttackedMachine;
import io.hyperverbs.lab.run.isolate.Attackers;
import io.hyperverbs.lab.run.isolate.Baseline;
import io.hyperverbs.launcher.machine.Program;
import io.hyperverbs.tests.machine.TestMachine;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * Three hostile guests at once, each with dice of its own, fill all they have mapped with garbage
 * for half a minute at full speed, beside three victims with traffic; where nothing has changed,
 * for a few seconds. {@code -Dseed} rolls other dice, {@code -Dscribble.seconds} says for how long.
 */
@Order(3)
@RunsWhenChanged
class ScribbleTest {
    private static final int FULL_SECONDS = 30;
    private static final int SMALL_SECONDS = 3;
    private static final String ATTACK = "queues.garbage";

    @Test
    void harmsNobody() throws Exception {
        long seed = Sources.seed();
        int seconds = Integer.getInteger("scribble.seconds", Proof.SCRIBBLING.isDue() ? FULL_SECONDS : SMALL_SECONDS);
        Duration duration = Duration.ofSeconds(seconds);
        Map<String, Program> attackers = new LinkedHashMap<>();
        for (int i = 0; i < 3; i++) {
            String name = AttackedMachine.ATTACKER + i;
            attackers.put(name, Attackers.program(name, seed + i, duration, false, List.of(ATTACK)));
        }
        try (TestMachine machine = TestMachine.forLong()) {
            AttackedMachine attacked =
                    AttackedMachine.start(machine.launcher(), machine.machine(), Duration.ofMinutes(1));
            Baseline before = attacked.baseline();

            for (String attacker : attackers.keySet()) {
                // Nobody counts what its session met: it may end when it is done.
                attacked.goOn(attacker, 0);
            }
            machine.add("bypass", attackers);

            for (String attacker : attackers.keySet()) {
                assertThat(machine.output(attacker))
                        .as("seed %d", seed)
                        .singleElement()
                        .asString()
                        .startsWith(ATTACK + ": CONTAINED");
            }
            assertThat(attacked.harm(before)).as("seed %d", seed).isNull();
            if (seconds >= FULL_SECONDS) {
                Proof.SCRIBBLING.note();
            }
        }
    }
}
