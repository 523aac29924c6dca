package io.hyperverbs.vmm.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.vmm.control.MachineClient;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.MachineException;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** What a guest sees and can do in the tier that this computer reaches; one promise a test. */
class SandboxTest {

    @TempDir static Path folder;
    private static VmmProcess vmm;
    private static MachineClient machine;
    private static DomainReport looker;

    @BeforeAll
    static void lookAround() throws Exception {
        vmm = VmmProcess.start(folder.resolve("state"));
        assertThat(vmm.firstLine()).startsWith("ready tier=");
        machine = vmm.connectWithBackend();
        DomainReport sibling = machine.startDomain(VmmProcess.guest("sibling"));
        looker =
                machine.startDomain(
                        VmmProcess.guest(
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

    @AfterAll
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
                .isSubsetOf(
                        "bin", "dev", "etc", "hv", "lib", "lib64", "proc", "sbin", "tmp", "usr");
        assertThat(seen("folder")).isEqualTo("hypercall.sock out");
    }

    @Test
    void guestCannotSeeProcessesOfOthers() throws Exception {
        // Its own, and the sandbox's first process.
        assertThat(seen("processes").split(" ")).hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void guestHasNoNetwork() throws Exception {
        assertThat(seen("network").split(" ")).isSubsetOf("lo", "");
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
                .containsPattern("Max file size\\s+67108864\\s+67108864 ");
    }

    @Test
    void guestHasAUserOfItsOwnInTierTwo() throws Exception {
        String uid = seen("uid");
        if (looker.sandboxTier().equals("2")) {
            assertThat(Integer.parseInt(uid)).isGreaterThanOrEqualTo(200_000);
        } else {
            assertThat(looker.sandboxTier()).isEqualTo("1");
        }
    }

    @Test
    void guestWritesNobodysStoreKeysButItsOwn() {
        assertThatThrownBy(() -> machine.storeWrite("domain/looker/uid", "0"))
                .isInstanceOf(MachineException.class);
    }
}
