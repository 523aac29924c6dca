package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.tests.machine.TestMachine;
import io.hyperverbs.tests.programs.UcCallee;
import io.hyperverbs.tests.programs.UcCaller;
import io.hyperverbs.tests.programs.XrcReceiver;
import io.hyperverbs.tests.programs.XrcSender;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** UC and XRC between domains, each in a process of its own. */
@RunsWhenChanged
class TransportTest extends MachineTest {
    @ParameterizedTest
    @ValueSource(strings = {"bypass", "forwarded"})
    void connectionManagerConnectsUnreliableQueuePairs(String path) throws Exception {
        String callee = "callee-" + path;
        String caller = "caller-" + path;
        machine()
                .add(
                        path,
                        Map.of(
                                callee,
                                TestMachine.program(UcCallee.class),
                                caller,
                                TestMachine.program(UcCaller.class, callee)));

        assertThat(machine().output(caller)).containsExactly("hello back, RTS", "disconnected: bye too");
        assertThat(machine().output(callee))
                .containsExactly(
                        "called by " + caller + " over UC: anybody there?",
                        "RECV heard, immediate 2",
                        "RECV_RDMA_WITH_IMM written, immediate 4",
                        "disconnected: bye");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bypass", "forwarded"})
    void oneTargetFeedsTheQueuesThatAnInitiatorNames(String path) throws Exception {
        String receiver = "xrc-receiver-" + path;
        String sender = "xrc-sender-" + path;
        machine()
                .add(
                        path,
                        Map.of(
                                receiver,
                                TestMachine.program(XrcReceiver.class, sender),
                                sender,
                                TestMachine.program(XrcSender.class, receiver)));

        assertThat(machine().output(sender))
                .containsExactly("1 SUCCESS", "2 SUCCESS", "3 SUCCESS", "4 SUCCESS", "5 REM_INV_REQ_ERR");
        assertThat(machine().output(receiver))
                .containsExactly(
                        "1: to the first, immediate 0",
                        "2: to the second, immediate 7",
                        "3: to it again, immediate 8",
                        "written: a text",
                        "QP_REQ_ERR, ERR");
    }
}
