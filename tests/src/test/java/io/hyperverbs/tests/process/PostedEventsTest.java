package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.ledger.InEachBuild;
import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.lab.ledger.Sources;
import io.hyperverbs.tests.machine.TestMachine;
import io.hyperverbs.tests.programs.AwaitedWrites;
import io.hyperverbs.tests.programs.WaitedMessages;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A guest that sleeps gets the event of each completion, posted by the HCA or forwarded. */
@RunsWhenChanged
class PostedEventsTest extends MachineTest {
    private static final int COUNT = 2_000;

    @InEachBuild
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void wakesForEachCompletion(boolean posted) throws Exception {
        String name = "armed-" + posted;
        TestMachine machine = machine();

        machine.add(
                TestMachine.guest(name, "bypass").withPostedEvents(posted),
                TestMachine.program(AwaitedWrites.class, Integer.toString(COUNT)));

        assertThat(machine.output(name)).containsExactly(COUNT + " events");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void wakesWhoPollsForAWhileAndThenSleeps(boolean posted) throws Exception {
        String name = "waits-" + posted;
        long seed = Sources.seed();

        machine()
                .add(
                        TestMachine.guest(name, "bypass").withPostedEvents(posted),
                        TestMachine.program(WaitedMessages.class, Integer.toString(COUNT), Long.toString(seed)));

        assertThat(machine().output(name)).as("seed %d", seed).containsExactly(COUNT + " messages");
    }
}
