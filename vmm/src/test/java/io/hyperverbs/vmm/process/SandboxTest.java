package io.hyperverbs.vmm.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hyperverbs.vmm.control.MachineClient;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.MachineException;
import io.hyperverbs.vmm.sandbox.SandboxChoice;
import io.hyperverbs.vmm.sandbox.SandboxProbe;
import io.hyperverbs.vmm.sandbox.SandboxTier;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a guest sees and can do in each sandbox with namespaces that works on this computer; one
 * promise a test.
 */
@ParameterizedClass
@MethodSource("sandboxes")
class SandboxTest {

    @TempDir
    static Path folder;

    private static VmmProcess vmm;
    private static MachineClient machine;
    private static DomainReport looker;

    @Parameter
    SandboxChoice sandbox;

    static List<SandboxChoice> sandboxes() {
        List<SandboxChoice> working = SandboxProbe.working().stream()
                .filter(choice -> choice.tier().hasNamespaces())
                .toList();
        assumeFalse(working.isEmpty(), "no sandbox with namespaces works on this computer");
        return working;
    }

    @BeforeParameterizedClassInvocation
    static void lookAround(SandboxChoice sandbox) throws Exception {
        vmm = VmmProcess.start(folder.resolve(sandbox.toString().replace(':', '-')), "--sandbox", sandbox.toString());
        assertThat(vmm.firstLine()).startsWith("ready tier=" + sandbox.tier().label() + " ");
        machine = vmm.connectWithBackend();
        DomainReport sibling = machine.startDomain(VmmProcess.guest("sibling"));
        looker = machine.startDomain(VmmProcess.guest(
                "looker",
                "look",
                sibling.folder(),
                vmm.state().toString(),
                folder.toString(),
                "/root",
                "/home",
                "/etc/passwd"));
        assertThat(machine.storeRead("domain/looker/done", VmmProcess.WAIT)).isPresent();
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        machine.close();
        vmm.close();
    }

    private static String seen(String key) throws MachineException {
        return machine.storeRead("domain/looker/" + key, VmmProcess.WAIT).orElseThrow();
    }

    @Test
    void guestCannotSeeSiblingsFolderNorTheStateFolderNorHomes() throws Exception {
        assertThat(seen("visible")).isEmpty();
        assertThat(seen("root").split(" "))
                .isSubsetOf("bin", "dev", "etc", "hv", "lib", "lib64", "proc", "sbin", "tmp", "usr");
        assertThat(seen("folder")).isEqualTo("hypercall.sock out");
    }

    @Test
    void guestCannotSeeProcessesOfOthers() throws Exception {
        // Its own, and the sandbox's first process.
        assertThat(seen("processes").split(" ")).hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void guestHasNoNetwork() throws Exception {
        assertThat(seen("network")).isEqualTo("lo");
    }

    /** Where it is down, Java finds no network interface at all and throws. */
    @Test
    void guestsLoopbackIsUp() throws Exception {
        assertThat(seen("loopback")).isEqualTo("up");
    }

    @Test
    void guestHasNoEnvironment() throws Exception {
        assertThat(seen("environment").split(" ")).isSubsetOf("PWD", "SHLVL", "_", "OLDPWD", "");
    }

    @Test
    void guestHasNoPrivilegesAndCannotGainAny() throws Exception {
        assertThat(seen("status"))
                .containsPattern("CapPrm:\\s+0000000000000000")
                .containsPattern("CapEff:\\s+0000000000000000")
                .containsPattern("CapBnd:\\s+0000000000000000")
                .containsPattern("NoNewPrivs:\\s+1");
    }

    @Test
    void guestWritesToItsOutFolderAndItsOwnTmpAlone() throws Exception {
        assertThat(seen("writable")).isEqualTo("/tmp /hv/run/out");
        assertThat(seen("tmp")).isEmpty();
    }

    @Test
    void guestHasLimits() throws Exception {
        assertThat(seen("limits"))
                .containsPattern("Max core file size\\s+0\\s+0 ")
                .containsPattern("Max open files\\s+1024\\s+1024 ")
                .containsPattern("Max processes\\s+1024\\s+1024 ")
                .containsPattern("Max data size\\s+1073741824\\s+1073741824 ")
                .containsPattern("Max address space\\s+4296015872\\s+4296015872 ")
                .containsPattern("Max file size\\s+67108864\\s+67108864 ");
    }

    @Test
    void guestHasAUserOfItsOwnInTierTwo() throws Exception {
        assertThat(looker.sandboxTier()).isEqualTo(sandbox.tier().label());
        assumeTrue(sandbox.tier() == SandboxTier.ROOT, "one user for all in tier 1");

        assertThat(Integer.parseInt(seen("uid"))).isGreaterThanOrEqualTo(200_000);
    }

    @Test
    void guestWritesNobodysStoreKeysButItsOwn() {
        assertThatThrownBy(() -> machine.storeWrite("domain/looker/uid", "0")).isInstanceOf(MachineException.class);
    }
}
