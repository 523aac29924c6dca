package io.hyperverbs.vmm.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.control.ContextSnapshot;
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
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Domains that come, are refused and end, on one machine: each test has names of its own. */
@Execution(ExecutionMode.CONCURRENT)
class DomainLifeTest {
    @TempDir
    static Path folder;

    private static VmmProcess vmm;
    private static MachineClient machine;

    @BeforeAll
    static void startMachine() throws Exception {
        vmm = VmmProcess.start(folder.resolve("state"));
        assertThat(vmm.firstLine()).startsWith("ready tier=");
        machine = vmm.connectWithBackend();
    }

    @AfterAll
    static void stopMachine() throws Exception {
        machine.close();
        vmm.close();
    }

    @Test
    void startsGuestAndSharesItsMemoryWithTheBackend() throws Exception {
        DomainReport guest = machine.startDomain(VmmProcess.guest("shares", "share"));

        assertThat(guest.state()).isEqualTo(DomainState.RUNNING);
        assertThat(read("domain/backend/seen-shares")).isEqualTo("4711");
        assertThat(read("domain/shares/page")).isEqualTo(Integer.toString(guest.id()));
        assertThat(read("domain/shares/read-only")).isEqualTo("false");
    }

    @Test
    void mapsReadOnlyGrantWithoutTheRightToWrite() throws Exception {
        machine.startDomain(VmmProcess.spec(
                "reads", DomainKind.GUEST, 4096, GuestStandIn.class, Map.of("readOnly", "true"), "share"));

        assertThat(read("domain/reads/read-only")).isEqualTo("true");
    }

    @Test
    void readsContextMemoryWithoutAskingTheBackend() throws Exception {
        ContextSnapshot memory = machine.readContextMemory("", 8, 8);

        assertThat(memory.totalBytes()).isEqualTo(4 * 4096);
        assertThat(ByteBuffer.wrap(memory.bytes())
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .getLong())
                .isEqualTo(BackendStandIn.CONTEXT_PATTERN);
    }

    @Test
    void passesOnWhatTheBackendHasOfADomain() throws Exception {
        DomainReport guest = machine.startDomain(VmmProcess.guest("asked"));

        SessionReport report = machine.describeSession("asked", 6);

        assertThat(report)
                .isEqualTo(new SessionReport(
                        List.of(new QuotaUse("qp", guest.id())),
                        List.of(
                                new CmId(7, "LISTEN", true, 0, 0, "::1", 7, null),
                                new CmId(8, "ESTABLISHED", false, 3, 4, "::1", 0, new Peer("b", "::2"))),
                        true,
                        List.of(new SessionReport.Rejection("rejected_verb", 5)),
                        new SessionReport.Calls(8, 9)));
    }

    @Test
    void saysThatADomainHasNoSession() throws Exception {
        machine.startDomain(VmmProcess.guest("gone", "exit", "0"));
        machine.awaitDomain("gone", VmmProcess.ENDED, VmmProcess.WAIT);

        assertThatThrownBy(() -> machine.describeSession("gone", 0))
                .isInstanceOfSatisfying(
                        MachineException.class, e -> assertThat(e.status()).isEqualTo(VerbsStatus.ENOENT));
        assertThatThrownBy(() -> machine.describeSession("nobody", 0))
                .isInstanceOfSatisfying(
                        MachineException.class, e -> assertThat(e.status()).isEqualTo(VerbsStatus.ENOENT));
        // The session that ended did not take the others' memory along.
        assertThat(machine.startDomain(VmmProcess.guest("after")).state()).isEqualTo(DomainState.RUNNING);
        assertThat(machine.describeSession("after", 0).more()).isTrue();
    }

    @Test
    void reportsExitCodeOfGuest() throws Exception {
        machine.startDomain(VmmProcess.guest("seven", "exit", "7"));

        DomainReport ended = machine.awaitDomain("seven", VmmProcess.ENDED, VmmProcess.WAIT);

        assertThat(ended.exitCode()).isEqualTo(7);
        assertThat(ended.state()).isEqualTo(DomainState.CRASHED);
        assertThat(ended.pid()).isPositive();
    }

    @Test
    void shutsDownGuestThatEndsWell() throws Exception {
        machine.startDomain(VmmProcess.guest("well", "exit", "0"));

        assertThat(machine.awaitDomain("well", VmmProcess.ENDED, VmmProcess.WAIT)
                        .state())
                .isEqualTo(DomainState.SHUT_DOWN);
    }

    @Test
    void seesGuestKilled() throws Exception {
        DomainReport guest = machine.startDomain(VmmProcess.guest("killed"));
        machine.startDomain(VmmProcess.guest("bystander"));

        ProcessHandle.of(guest.pid()).orElseThrow().destroyForcibly();

        DomainReport ended = machine.awaitDomain("killed", VmmProcess.ENDED, VmmProcess.WAIT);
        assertThat(ended.state()).isEqualTo(DomainState.CRASHED);
        assertThat(ended.exitCode())
                .as("%s", Files.readString(Path.of(ended.logFile())))
                .isEqualTo(137);
        assertThat(VmmProcess.find(machine, "bystander").state()).isEqualTo(DomainState.RUNNING);
    }

    @Test
    void usesNameAgainAfterItsDomainEnded() throws Exception {
        machine.startDomain(VmmProcess.guest("again", "exit", "0"));
        machine.awaitDomain("again", VmmProcess.ENDED, VmmProcess.WAIT);

        assertThat(machine.startDomain(VmmProcess.guest("again")).state()).isEqualTo(DomainState.RUNNING);
    }

    @Test
    void refusesGuestThatTheBackendRefuses() {
        assertThatThrownBy(() -> machine.startDomain(VmmProcess.spec(
                        "refused", DomainKind.GUEST, 4096, GuestStandIn.class, Map.of("refuse", "true"))))
                .isInstanceOfSatisfying(
                        MachineException.class, e -> assertThat(e.status()).isEqualTo(VerbsStatus.EAGAIN))
                .hasMessage("refused by setting");
    }

    @Test
    void refusesNameThatIsTaken() throws Exception {
        machine.startDomain(VmmProcess.guest("taken"));

        assertThatThrownBy(() -> machine.startDomain(VmmProcess.guest("taken")))
                .isInstanceOfSatisfying(
                        MachineException.class, e -> assertThat(e.status()).isEqualTo(VerbsStatus.EBUSY));
    }

    @Test
    void refusesClassPathThatIsNotThere() {
        DomainSpec good = VmmProcess.guest("classless");
        DomainSpec bad = new DomainSpec(
                "classless",
                good.kind(),
                good.memoryBytes(),
                List.of(Path.of("none.jar")),
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
        assertThatThrownBy(() -> machine.startDomain(
                        VmmProcess.spec("huge", DomainKind.GUEST, 1L << 40, GuestStandIn.class, Map.of())))
                .isInstanceOfSatisfying(
                        MachineException.class, e -> assertThat(e.status()).isEqualTo(VerbsStatus.ENOMEM));
    }

    @Test
    void refusesReservedNames() {
        for (String name : List.of("tool", "vmm", "backend", "", "a/b", "..")) {
            assertThatThrownBy(() -> machine.startDomain(VmmProcess.guest(name)))
                    .isInstanceOfSatisfying(
                            MachineException.class, e -> assertThat(e.status()).isEqualTo(VerbsStatus.EINVAL));
        }
    }

    @Test
    void runsNativeDomainInTheBackend() throws Exception {
        DomainReport started = machine.startDomain(
                VmmProcess.spec("native", DomainKind.NATIVE, 8192, GuestStandIn.class, Map.of("nativeExit", "5")));

        DomainReport ended = machine.awaitDomain("native", VmmProcess.ENDED, VmmProcess.WAIT);
        assertThat(started.pid()).isZero();
        assertThat(ended.exitCode()).isEqualTo(5);
        assertThat(ended.memoryBytes()).isEqualTo(8192);
    }

    @Test
    void stopsGuestByRequest() throws Exception {
        machine.startDomain(VmmProcess.guest("stopped"));

        DomainReport stopped = machine.stopDomain("stopped", Duration.ofSeconds(5));

        assertThat(stopped.state()).isEqualTo(DomainState.SHUT_DOWN);
        // The JVM ended by SIGTERM, and was not killed.
        assertThat(stopped.exitCode()).isEqualTo(143);
    }

    private static String read(String path) throws MachineException {
        return machine.storeRead(path, VmmProcess.WAIT).orElseThrow();
    }
}
