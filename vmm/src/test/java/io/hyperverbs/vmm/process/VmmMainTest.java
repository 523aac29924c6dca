package io.hyperverbs.vmm.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hyperverbs.lab.ledger.InEachBuild;
import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.vmm.control.MachineClient;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.DomainState;
import io.hyperverbs.vmm.domain.MachineException;
import io.hyperverbs.vmm.posix.SystemCall;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Machines that come and go, each with a VMM of its own. */
@Execution(ExecutionMode.CONCURRENT)
@RunsWhenChanged
class VmmMainTest {
    private static final long KILL = 62;
    private static final long SIGQUIT = 3;

    @TempDir
    Path folder;

    private VmmProcess vmm;
    private MachineClient machine;

    @BeforeEach
    void startMachine() throws Exception {
        vmm = VmmProcess.start(folder.resolve("state"));
        assertThat(vmm.firstLine()).startsWith("ready tier=");
        machine = vmm.connectWithBackend();
    }

    @AfterEach
    void stopMachine() throws Exception {
        machine.close();
        vmm.close();
    }

    @Test
    void leavesNothingOfGuestThatFailsToStart() throws Exception {
        long processes = vmm.descendants().size();

        assertThatThrownBy(() -> machine.startDomain(VmmProcess.guest("a", "fail")))
                .isInstanceOf(MachineException.class)
                .hasMessageContaining("exit code 3");

        DomainReport record = VmmProcess.find(machine, "a");
        assertThat(record.state()).isEqualTo(DomainState.CRASHED);
        assertThat(Files.readString(Path.of(record.logFile()))).contains("failing as told");
        assertThat(Path.of(record.folder(), "hypercall.sock")).doesNotExist();
        assertThat(vmm.descendants()).hasSize((int) processes);
    }

    @Test
    void shutdownLeavesNothing() throws Exception {
        machine.startDomain(VmmProcess.guest("a"));
        machine.startDomain(VmmProcess.guest("b"));
        List<ProcessHandle> processes = vmm.descendants();

        machine.shutdown();

        assertThat(vmm.awaitExit()).isTrue();
        assertThat(vmm.process().exitValue()).isZero();
        assertThat(processes).isNotEmpty().noneMatch(VmmProcess::runs);
        assertThat(vmm.state()).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "vmm.pid", "logs", "vmm.sock"})
    void aVmmThatIsEndedWhileItStartsLeavesNothing(String made) throws Exception {
        Path state = folder.resolve("starting");
        Process starting = VmmProcess.begin(state);
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> Files.exists(state.resolve(made)) || !starting.isAlive());

        starting.destroy();

        assertThat(starting.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(state).doesNotExist();
    }

    @Test
    void whatTheJvmItselfSaysIsInTheLog() throws Exception {
        assertThat(SystemCall.make(KILL, vmm.process().pid(), SIGQUIT)).isZero();

        Path log = vmm.state().resolve("logs/vmm.log");
        await().untilAsserted(() -> assertThat(log).content().contains("Full thread dump"));
    }

    @Test
    void endOfInputEndsTheMachine() throws Exception {
        vmm.process().getOutputStream().close();

        assertThat(vmm.awaitExit()).isTrue();
        assertThat(vmm.state()).doesNotExist();
    }

    @Test
    void domainsDieWithTheVmm() throws Exception {
        machine.startDomain(VmmProcess.guest("a"));
        List<ProcessHandle> processes = vmm.descendants();

        vmm.process().destroyForcibly();

        assertThat(processes).isNotEmpty();
        await().atMost(VmmProcess.WAIT)
                .untilAsserted(() -> assertThat(processes).noneMatch(VmmProcess::runs));
    }

    @InEachBuild
    @Test
    void machineGoesWithItsBackend() throws Exception {
        machine.startDomain(VmmProcess.guest("a"));
        List<ProcessHandle> processes = vmm.descendants();

        ProcessHandle.of(VmmProcess.find(machine, "backend").pid())
                .orElseThrow()
                .destroyForcibly();

        assertThat(vmm.awaitExit()).isTrue();
        assertThat(vmm.process().exitValue()).isEqualTo(1);
        assertThat(processes).noneMatch(VmmProcess::runs);
        assertThat(vmm.state()).doesNotExist();
    }

    @Test
    void refusesFolderOfLivingVmm() throws Exception {
        try (VmmProcess second = VmmProcess.start(vmm.state())) {
            assertThat(second.firstLine()).startsWith("error 5 a VMM runs in");
            assertThat(second.awaitExit()).isTrue();
            assertThat(second.process().exitValue()).isEqualTo(5);
        }
        assertThat(machine.status().topology()).isEqualTo("test");
    }

    @Test
    void takesOverFolderOfDeadVmm() throws Exception {
        vmm.process().destroyForcibly().waitFor();

        try (VmmProcess second = VmmProcess.start(vmm.state())) {
            assertThat(second.firstLine()).startsWith("ready");
            assertThat(vmm.state().resolve("domains")).doesNotExist();
        }
    }
}
