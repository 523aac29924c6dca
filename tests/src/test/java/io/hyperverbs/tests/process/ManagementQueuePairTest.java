package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.launcher.context.HcaView;
import io.hyperverbs.tests.machine.TestMachine;
import io.hyperverbs.tests.programs.ManagementProbe;
import io.hyperverbs.tests.programs.UdReceiver;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** QP0 and QP1 are the device domain's (Liu 2006 §4.4). */
@RunsWhenChanged
class ManagementQueuePairTest extends MachineTest {
    private static final int PROBES = 12;

    @ParameterizedTest
    @ValueSource(strings = {"bypass", "forwarded"})
    void guestNeitherHasNorReachesThem(String path) throws Exception {
        String receiver = "management-receiver-" + path;
        String probe = "probe-" + path;
        long dropped = dropped();
        machine()
                .add(
                        path,
                        Map.of(
                                receiver,
                                TestMachine.program(UdReceiver.class),
                                probe,
                                TestMachine.program(ManagementProbe.class, receiver)));

        assertThat(machine().output(probe))
                .containsExactly(
                        "making QP0: EPERM",
                        "RC to QP0: EPERM",
                        "UC to QP0: EPERM",
                        "XRC to QP0: EPERM",
                        "making QP1: EPERM",
                        "RC to QP1: EPERM",
                        "UC to QP1: EPERM",
                        "XRC to QP1: EPERM",
                        "the Q_Key of QP1: EPERM");
        assertThat(machine().output(receiver)).containsExactly("end SUCCESS");
        assertThat(dropped() - dropped).isEqualTo(PROBES);
    }

    private long dropped() throws Exception {
        return HcaView.read(machine().client()).counter(Counter.RX_DROPPED_MESSAGES);
    }
}
