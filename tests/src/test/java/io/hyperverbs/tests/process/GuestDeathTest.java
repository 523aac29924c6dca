package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.layout.ContextMemoryLayout.Table;
import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.launcher.context.HcaView;
import io.hyperverbs.tests.machine.TestMachine;
import io.hyperverbs.tests.programs.Hoarder;
import io.hyperverbs.tests.programs.Stayer;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.DomainState;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A guest that is killed with -9 while it has some of everything there is. */
@RunsWhenChanged
class GuestDeathTest extends MachineTest {
    @ParameterizedTest
    @ValueSource(strings = {"bypass", "forwarded"})
    void leavesNothingToTheMachineAndSilenceToItsPeers(String path) throws Exception {
        String stayer = "survives-" + path;
        String hoarder = "dies-" + path;
        TestMachine machine = machine();
        machine.add(TestMachine.guest(stayer, path), TestMachine.program(Stayer.class, hoarder));
        machine.awaitKey("domain/" + stayer + "/up");
        Map<Table, Integer> before = objects();
        DomainReport victim = machine.add(TestMachine.guest(hoarder, path), TestMachine.program(Hoarder.class, stayer));
        machine.awaitKey("domain/" + stayer + "/busy");
        Map<Table, Integer> meanwhile = objects();
        assertThat(connectionsOf(hoarder)).contains("cm-state LISTEN", "cm-state REQ_");

        assertThat(ProcessHandle.of(victim.pid()).orElseThrow().destroyForcibly())
                .isTrue();

        assertThat(machine.awaitEnd(hoarder).state()).isEqualTo(DomainState.CRASHED);
        assertThat(meanwhile).allSatisfy((table, count) -> assertThat(count).isGreaterThan(before.get(table)));
        assertThat(objects()).isEqualTo(before);
        assertThat(connectionsOf(hoarder)).isEmpty();
        machine.client().storeWrite("domain/tool/dead-" + hoarder, "yes");
        machine.awaitKey("domain/" + stayer + "/over");
        machine.client().storeWrite("domain/tool/end-" + hoarder, "yes");
        assertThat(machine.output(stayer))
                .containsExactlyInAnyOrder(
                        "window: RETRY_EXC_ERR",
                        "XRC: RETRY_EXC_ERR",
                        "waiting send: RETRY_EXC_ERR",
                        "my call: ECONNRESET",
                        "its call: ECONNRESET",
                        "1 member",
                        "to myself");
    }

    /** What {@code hv} shows of a guest's listeners and connections. */
    private String connectionsOf(String guest) throws Exception {
        return new HvProcess(machine())
                .run("rdma", "resource", "show", "cm_id", "comm", guest)
                .expect(0)
                .out();
    }

    /** How many objects of each kind the HCA has. */
    private Map<Table, Integer> objects() throws Exception {
        HcaView device = HcaView.read(machine().client());
        Map<Table, Integer> counts = new EnumMap<>(Table.class);
        // Guests have no links.
        for (Table table : EnumSet.complementOf(EnumSet.of(Table.LINK))) {
            counts.put(table, device.entries(table).size());
        }
        return counts;
    }
}
