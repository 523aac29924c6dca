package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.tests.machine.TestMachine;
import io.hyperverbs.tests.programs.GroupSender;
import io.hyperverbs.tests.programs.UdReceiver;
import io.hyperverbs.tests.programs.UdSender;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Datagrams between domains, each in a process of its own. */
@RunsWhenChanged
class DatagramTest extends MachineTest {
    @ParameterizedTest
    @ValueSource(strings = {"bypass", "forwarded"})
    void guestsReachEachOtherByLidAndByGid(String path) throws Exception {
        String receiver = "to-" + path;
        String sender = "from-" + path;
        machine()
                .add(
                        path,
                        Map.of(
                                receiver,
                                TestMachine.program(UdReceiver.class),
                                sender,
                                TestMachine.program(UdSender.class, receiver)));

        assertThat(machine().output(sender)).isEmpty();
        assertThat(machine().output(receiver))
                .containsExactly(
                        "by LID SUCCESS",
                        "by GID, to a GID, immediate 7 SUCCESS",
                        "by path record, to a GID SUCCESS",
                        "by LID, immediate 8 SUCCESS",
                        "end SUCCESS");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bypass", "forwarded"})
    void membersOfAGroupGetOneCopyEachUntilTheyLeave(String path) throws Exception {
        String leaves = "leaves-" + path;
        String stays = "stays-" + path;
        String sender = "tells-" + path;
        machine()
                .add(
                        path,
                        Map.of(
                                leaves,
                                TestMachine.program(UdReceiver.class, "group"),
                                stays,
                                TestMachine.program(UdReceiver.class, "group"),
                                sender,
                                TestMachine.program(GroupSender.class, leaves, stays)));

        assertThat(machine().output(sender)).containsExactly("3 members", "2 members");
        assertThat(machine().output(leaves))
                .containsExactly("to both, to the group SUCCESS", "leave SUCCESS", "end SUCCESS");
        assertThat(machine().output(stays))
                .containsExactly("to both, to the group SUCCESS", "to one, to the group SUCCESS", "end SUCCESS");
    }
}
