package io.hyperverbs.vmm.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hyperverbs.vmm.control.MachineClient;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.MachineException;
import io.hyperverbs.vmm.posix.Landlock;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a guest sees and can do in tier 1b, whatever this computer's best is. */
class LandlockTest {

    @TempDir
    static Path folder;

    private static VmmProcess vmm;
    private static MachineClient machine;
    private static DomainReport looker;

    @BeforeAll
    static void lookAround() throws Exception {
        assumeTrue(Landlock.abi() >= Landlock.ABI_SCOPES, "Landlock is too old");
        vmm = VmmProcess.start(folder.resolve("state"), "--sandbox", "1b");
        assertThat(vmm.firstLine()).startsWith("ready tier=1b");
        machine = vmm.connectWithBackend();
        looker = machine.startDomain(VmmProcess.guest("looker", "look"));
        assertThat(machine.storeRead("domain/looker/done", VmmProcess.WAIT)).isPresent();
    }

    @AfterAll
    static void stop() {
        if (machine != null) {
            machine.close();
            vmm.close();
        }
    }

    private static String seen(String key) throws MachineException {
        return machine.storeRead("domain/looker/" + key, VmmProcess.WAIT).orElseThrow();
    }

    @Test
    void guestSaysItsTier() {
        assertThat(looker.sandboxTier()).isEqualTo("1b");
    }

    @Test
    void guestListsItsOwnFolderAlone() throws Exception {
        assertThat(seen("folder")).isEqualTo("hypercall.sock out");
        assertThat(seen("root")).contains("AccessDenied");
        assertThat(seen("tmp")).contains("AccessDenied");
        assertThat(seen("dev")).contains("AccessDenied");
        assertThat(seen("processes")).isEmpty();
    }

    @Test
    void guestWritesToNoFolderOfTheSystem() throws Exception {
        assertThat(seen("writable")).isEmpty();
    }

    @Test
    void guestHasNoEnvironmentAndNoPrivileges() throws Exception {
        assertThat(seen("environment")).isEmpty();
        assertThat(seen("status"))
                .containsPattern("CapPrm:\\s+0000000000000000")
                .containsPattern("CapEff:\\s+0000000000000000")
                .containsPattern("NoNewPrivs:\\s+1");
    }

    @Test
    void guestHasLimits() throws Exception {
        assertThat(seen("limits"))
                .containsPattern("Max core file size\\s+0\\s+0 ")
                .containsPattern("Max open files\\s+1024\\s+1024 ")
                .containsPattern("Max data size\\s+1073741824\\s+1073741824 ")
                .containsPattern("Max address space\\s+4296015872\\s+4296015872 ")
                .containsPattern("Max file size\\s+67108864\\s+67108864 ");
    }

    @Test
    void guestDiesWithTheVmm() throws Exception {
        try (VmmProcess other = VmmProcess.start(folder.resolve("other"), "--sandbox", "1b");
                MachineClient client = other.connectWithBackend()) {
            client.startDomain(VmmProcess.guest("orphan"));
            List<ProcessHandle> started = other.descendants();
            assertThat(started).isNotEmpty();

            other.process().destroyForcibly();

            await().atMost(VmmProcess.WAIT)
                    .untilAsserted(() -> assertThat(started).noneMatch(VmmProcess::runs));
        }
    }
}
