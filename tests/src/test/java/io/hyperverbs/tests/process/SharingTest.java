package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.tests.machine.TestMachine;
import io.hyperverbs.tests.programs.RcSender;
import io.hyperverbs.tests.programs.SrqOwner;
import io.hyperverbs.tests.programs.WindowOwner;
import io.hyperverbs.tests.programs.WindowUser;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a domain opens to others: shared receive queues and memory windows. */
@RunsWhenChanged
class SharingTest extends MachineTest {
    @ParameterizedTest
    @ValueSource(strings = {"bypass", "forwarded"})
    void guestsFeedOneSharedQueueWhichTellsWhenItRunsLow(String path) throws Exception {
        String owner = "srq-" + path;
        String first = "a-" + path;
        String second = "b-" + path;
        machine()
                .add(
                        path,
                        Map.of(
                                owner,
                                TestMachine.program(SrqOwner.class, first, second),
                                first,
                                TestMachine.program(RcSender.class, owner),
                                second,
                                TestMachine.program(RcSender.class, owner)));

        assertThat(machine().output(owner))
                .containsExactly("SRQ_LIMIT_REACHED true", first + ": 1 2 3 4", second + ": 1 2 3 4");
        assertThat(machine().output(first)).isEmpty();
        assertThat(machine().output(second)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"bypass", "forwarded"})
    void windowIsOpenToOnePeerUntilThatEndsIt(String path) throws Exception {
        String owner = "owner-" + path;
        String user = "user-" + path;
        machine()
                .add(
                        path,
                        Map.of(
                                owner,
                                TestMachine.program(WindowOwner.class, user),
                                user,
                                TestMachine.program(WindowUser.class, owner)));

        assertThat(machine().output(user))
                .containsExactly(
                        "through another queue pair: REM_ACCESS_ERR",
                        "through the window: SUCCESS",
                        "done: SUCCESS",
                        "after its end: REM_ACCESS_ERR");
        assertThat(machine().output(owner))
                .containsExactly(
                        "other queue pair: QP_ACCESS_ERR, ERR",
                        "done, invalidated: true",
                        "afterwards: QP_ACCESS_ERR, ERR",
                        "memory: through the window");
    }
}
