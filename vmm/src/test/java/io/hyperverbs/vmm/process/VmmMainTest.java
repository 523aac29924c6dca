package io.hyperverbs.vmm.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.control.ContextMemory;
import io.hyperverbs.vmm.control.MachineClient;
import io.hyperverbs.vmm.domain.DomainKind;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.DomainSpec;
import io.hyperverbs.vmm.domain.DomainState;
import io.hyperverbs.vmm.domain.MachineException;
import io.hyperverbs.vmm.hypercall.SessionReport;
import io.hyperverbs.vmm.hypercall.SessionReport.CmId;
import io.hyperverbs.vmm.hypercall.SessionReport.Peer;
import io.hyperverbs.vmm.hypercall.SessionReport.QuotaUse;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

@Execution(ExecutionMode.CONCURRENT)
class VmmMainTest {
    private static final Duration WAIT = Duration.ofSeconds(20);
    private static final Set<DomainState> ENDED =
            Set.of(DomainState.SHUT_DOWN, DomainState.CRASHED);

    @TempDir Path folder;
    private VmmProcess vmm;
    private MachineClient machine;

    @BeforeEach
    void startMachine() throws Exception {
        vmm = VmmProcess.start(folder.resolve("state"));
        assertThat(vmm.firstLine()).startsWith("ready tier=");
        machine = vmm.connect();
        machine.startDomain(VmmProcess.backend());
    }

    @AfterEach
    void stopMachine() throws Exception {
        machine.close();
        vmm.close();
    }

    @Test
    void startsGuestAndSharesItsMemoryWithTheBackend() throws Exception {
        DomainReport guest = machine.startDomain(VmmProcess.guest("a", "share"));

        assertThat(guest.state()).isEqualTo(DomainState.RUNNING);
        assertThat(read("domain/backend/seen-a")).isEqualTo("4711");
        assertThat(read("domain/a/page")).isEqualTo(Integer.toString(guest.id()));
        assertThat(read("domain/a/read-only")).isEqualTo("false");
    }

    @Test
    void mapsReadOnlyGrantWithoutTheRightToWrite() throws Exception {
        machine.startDomain(
                VmmProcess.spec(
                        "a",
                        DomainKind.GUEST,
                        4096,
                        GuestStandIn.class,
                        Map.of("readOnly", "true"),
                        "share"));

        assertThat(read("domain/a/read-only")).isEqualTo("true");
    }

    @Test
    void readsContextMemoryWithoutAskingTheBackend() throws Exception {
        ContextMemory memory = machine.readContextMemory(8, 8);

        assertThat(memory.totalBytes()).isEqualTo(4 * 4096);
        assertThat(ByteBuffer.wrap(memory.bytes()).order(ByteOrder.LITTLE_ENDIAN).getLong())
                .isEqualTo(BackendStandIn.CONTEXT_PATTERN);
    }

    @Test
    void passesOnWhatTheBackendHasOfADomain() throws Exception {
        DomainReport guest = machine.startDomain(VmmProcess.guest("a"));

        SessionReport report = machine.describeSession("a", 6);

        assertThat(report)
                .isEqualTo(
                        new SessionReport(
                                List.of(new QuotaUse("qp", guest.id())),
                                List.of(
                                        new CmId(7, "LISTEN", true, 0, 0, "::1", 7, null),
                                        new CmId(
                                                8,
                                                "ESTABLISHED",
                                                false,
                                                3,
                                                4,
                                                "::1",
                                                0,
                                                new Peer("b", "::2"))),
                                true,
                                List.of(new SessionReport.Rejection("rejected_verb", 5))));
    }

    @Test
    void saysThatADomainHasNoSession() throws Exception {
        machine.startDomain(VmmProcess.guest("a", "exit", "0"));
        machine.awaitDomain("a", ENDED, WAIT);

        assertThatThrownBy(() -> machine.describeSession("a", 0))
                .isInstanceOfSatisfying(
                        MachineException.class,
                        e -> assertThat(e.status()).isEqualTo(VerbsStatus.ENOENT));
        assertThatThrownBy(() -> machine.describeSession("nobody", 0))
                .isInstanceOfSatisfying(
                        MachineException.class,
                        e -> assertThat(e.status()).isEqualTo(VerbsStatus.ENOENT));
        // The session that ended did not take the others' memory along.
        assertThat(machine.startDomain(VmmProcess.guest("b")).state())
                .isEqualTo(DomainState.RUNNING);
        assertThat(machine.describeSession("b", 0).more()).isTrue();
    }

    @Test
    void reportsExitCodeOfGuest() throws Exception {
        machine.startDomain(VmmProcess.guest("a", "exit", "7"));

        DomainReport ended = machine.awaitDomain("a", ENDED, WAIT);

        assertThat(ended.exitCode()).isEqualTo(7);
        assertThat(ended.state()).isEqualTo(DomainState.CRASHED);
        assertThat(ended.pid()).isPositive();
    }

    @Test
    void shutsDownGuestThatEndsWell() throws Exception {
        machine.startDomain(VmmProcess.guest("a", "exit", "0"));

        assertThat(machine.awaitDomain("a", ENDED, WAIT).state()).isEqualTo(DomainState.SHUT_DOWN);
    }

    @Test
    void seesGuestKilled() throws Exception {
        DomainReport guest = machine.startDomain(VmmProcess.guest("a"));
        machine.startDomain(VmmProcess.guest("b"));

        ProcessHandle.of(guest.pid()).orElseThrow().destroyForcibly();

        DomainReport ended = machine.awaitDomain("a", ENDED, WAIT);
        assertThat(ended.state()).isEqualTo(DomainState.CRASHED);
        assertThat(ended.exitCode())
                .as("%s", Files.readString(Path.of(ended.logFile())))
                .isEqualTo(137);
        assertThat(VmmProcess.find(machine, "b").state()).isEqualTo(DomainState.RUNNING);
    }

    @Test
    void usesNameAgainAfterItsDomainEnded() throws Exception {
        machine.startDomain(VmmProcess.guest("a", "exit", "0"));
        machine.awaitDomain("a", ENDED, WAIT);

        assertThat(machine.startDomain(VmmProcess.guest("a")).state())
                .isEqualTo(DomainState.RUNNING);
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
    void refusesGuestThatTheBackendRefuses() {
        assertThatThrownBy(
                        () ->
                                machine.startDomain(
                                        VmmProcess.spec(
                                                "a",
                                                DomainKind.GUEST,
                                                4096,
                                                GuestStandIn.class,
                                                Map.of("refuse", "true"))))
                .isInstanceOfSatisfying(
                        MachineException.class,
                        e -> assertThat(e.status()).isEqualTo(VerbsStatus.EAGAIN))
                .hasMessage("refused by setting");
    }

    @Test
    void refusesNameThatIsTaken() throws Exception {
        machine.startDomain(VmmProcess.guest("a"));

        assertThatThrownBy(() -> machine.startDomain(VmmProcess.guest("a")))
                .isInstanceOfSatisfying(
                        MachineException.class,
                        e -> assertThat(e.status()).isEqualTo(VerbsStatus.EBUSY));
    }

    @Test
    void refusesClassPathThatIsNotThere() {
        DomainSpec good = VmmProcess.guest("a");
        DomainSpec bad =
                new DomainSpec(
                        "a",
                        good.kind(),
                        good.memoryBytes(),
                        List.of(folder.resolve("none.jar")),
                        Optional.empty(),
                        good.jvmOptions(),
                        good.mainClass(),
                        good.args(),
                        good.settings());

        assertThatThrownBy(() -> machine.startDomain(bad))
                .isInstanceOf(MachineException.class)
                .hasMessageContaining("none.jar");
    }

    @Test
    void refusesMoreMemoryThanTheMachineHas() {
        // Beyond the machine's frame numbers, so that no memory of this computer is asked for.
        assertThatThrownBy(
                        () ->
                                machine.startDomain(
                                        VmmProcess.spec(
                                                "a",
                                                DomainKind.GUEST,
                                                1L << 40,
                                                GuestStandIn.class,
                                                Map.of())))
                .isInstanceOfSatisfying(
                        MachineException.class,
                        e -> assertThat(e.status()).isEqualTo(VerbsStatus.ENOMEM));
    }

    @Test
    void refusesReservedNames() {
        for (String name : List.of("tool", "vmm", "backend", "", "a/b", "..")) {
            assertThatThrownBy(() -> machine.startDomain(VmmProcess.guest(name)))
                    .isInstanceOfSatisfying(
                            MachineException.class,
                            e -> assertThat(e.status()).isEqualTo(VerbsStatus.EINVAL));
        }
    }

    @Test
    void runsNativeDomainInTheBackend() throws Exception {
        DomainReport started =
                machine.startDomain(
                        VmmProcess.spec(
                                "n",
                                DomainKind.NATIVE,
                                8192,
                                GuestStandIn.class,
                                Map.of("nativeExit", "5")));

        DomainReport ended = machine.awaitDomain("n", ENDED, WAIT);
        assertThat(started.pid()).isZero();
        assertThat(ended.exitCode()).isEqualTo(5);
        assertThat(ended.memoryBytes()).isEqualTo(8192);
    }

    @Test
    void stopsGuestByRequest() throws Exception {
        machine.startDomain(VmmProcess.guest("a"));

        DomainReport stopped = machine.stopDomain("a", Duration.ofSeconds(5));

        assertThat(stopped.state()).isEqualTo(DomainState.SHUT_DOWN);
        // The JVM ended by SIGTERM, and was not killed.
        assertThat(stopped.exitCode()).isEqualTo(143);
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
        await().atMost(WAIT).untilAsserted(() -> assertThat(processes).noneMatch(VmmProcess::runs));
    }

    @Test
    void machineGoesWithItsBackend() throws Exception {
        machine.startDomain(VmmProcess.guest("a"));
        List<ProcessHandle> processes = vmm.descendants();

        ProcessHandle.of(VmmProcess.find(machine, "backend").pid()).orElseThrow().destroyForcibly();

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

    private String read(String path) throws MachineException {
        return machine.storeRead(path, WAIT).orElseThrow();
    }
}
