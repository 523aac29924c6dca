package io.hyperverbs.vmm.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.control.MachineClient;
import io.hyperverbs.vmm.domain.DomainKind;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.DomainState;
import io.hyperverbs.vmm.domain.MachineException;
import io.hyperverbs.vmm.hypercall.Boot;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A machine with two HCAs, each in the process of its own device domain. */
@RunsWhenChanged
class TwoDeviceDomainsTest {
    private static final Map<String, String> FIRST = settings("hv0");
    private static final Map<String, String> SECOND = settings("hv1");

    @TempDir
    Path folder;

    private VmmProcess vmm;
    private MachineClient machine;

    @BeforeEach
    void startMachine() throws Exception {
        vmm = VmmProcess.start(folder.resolve("state"));
        assertThat(vmm.firstLine()).startsWith("ready tier=");
        machine = MachineClient.connect(vmm.state().resolve("vmm.sock"));
        machine.startDomain(VmmProcess.spec("hv0", DomainKind.BACKEND, 0, BackendStandIn.class, FIRST));
        machine.startDomain(VmmProcess.spec("hv1", DomainKind.BACKEND, 0, BackendStandIn.class, SECOND));
    }

    @AfterEach
    void stopMachine() throws Exception {
        machine.close();
        vmm.close();
    }

    private static Map<String, String> settings(String hca) {
        return Map.of(Boot.HCA_SETTING, hca, "device-domain", hca);
    }

    private DomainReport start(String name, Map<String, String> settings) throws MachineException {
        return machine.startDomain(
                VmmProcess.spec(name, DomainKind.GUEST, 1 << 20, GuestStandIn.class, settings, "share"));
    }

    private void kill(String name) throws MachineException {
        ProcessHandle.of(VmmProcess.find(machine, name).pid()).orElseThrow().destroyForcibly();
    }

    private String read(String path) throws MachineException {
        return machine.storeRead(path, VmmProcess.WAIT).orElseThrow();
    }

    @Test
    void eachServesItsOwnGuests() throws Exception {
        DomainReport a = start("a", FIRST);
        DomainReport b = start("b", SECOND);

        assertThat(List.of(a.hca(), b.hca())).containsExactly("hv0", "hv1");
        assertThat(read("domain/hv0/seen-a")).isEqualTo("4711");
        assertThat(read("domain/hv1/seen-b")).isEqualTo("4711");
        assertThat(machine.describeSession("b", 0).more()).isTrue();
        assertThat(machine.readContextMemory("hv1", 8, 8).totalBytes()).isEqualTo(4 * 4096);
        assertThatThrownBy(() -> machine.readContextMemory("", 8, 8)).hasMessage("which HCA: hv0 or hv1");
        machine.setPort("hv1", 1, false);
    }

    @Test
    void bothEndsOfALinkGetItsSettings() throws Exception {
        machine.setLink("hv0", "hv1", "loss=1%");

        assertThatThrownBy(() -> machine.setLink("hv0", "hv1", "loss=hv0"))
                .isInstanceOfSatisfying(
                        MachineException.class, e -> assertThat(e.status()).isEqualTo(VerbsStatus.EINVAL))
                .hasMessage("hv0: has the new settings; hv1: loss=hv0");
    }

    @Test
    void aDeviceDomainThatDiesTakesItsGuestsWithItAndTheLastOneTheMachine() throws Exception {
        start("a", FIRST);
        start("b", SECOND);

        kill("hv1");

        DomainReport lost = machine.awaitDomain("b", VmmProcess.ENDED, VmmProcess.WAIT);
        assertThat(lost.state()).isEqualTo(DomainState.CRASHED);
        assertThat(lost.message()).isEqualTo("its HCA hv1 is gone: the device domain ended with exit code 137");
        machine.awaitDomain("hv1", VmmProcess.ENDED, VmmProcess.WAIT);
        assertThat(VmmProcess.find(machine, "a").state()).isEqualTo(DomainState.RUNNING);
        assertThat(machine.readContextMemory("hv1", 0, 8).totalBytes()).isZero();
        assertThatThrownBy(() -> start("c", SECOND))
                .isInstanceOfSatisfying(
                        MachineException.class, e -> assertThat(e.status()).isEqualTo(VerbsStatus.EINVAL))
                .hasMessage("the device domain of HCA hv1 does not run");
        assertThat(start("d", FIRST).state()).isEqualTo(DomainState.RUNNING);

        List<ProcessHandle> processes = vmm.descendants();
        kill("hv0");

        assertThat(vmm.awaitExit()).isTrue();
        assertThat(vmm.process().exitValue()).isEqualTo(1);
        assertThat(processes).noneMatch(VmmProcess::runs);
        assertThat(vmm.state()).doesNotExist();
    }
}
