package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.hyperverbs.vmm.domain.DomainKind;
import io.hyperverbs.vmm.domain.DomainReport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What VMM and device domain keep closed, even to other processes of their own user. */
class TrustedProcessTest extends MachineTest {
    private static final String PATIENCE = "sun.tools.attach.attachTimeout";

    @BeforeAll
    static void doNotWaitLong() {
        System.setProperty(PATIENCE, "500");
    }

    @AfterAll
    static void waitAgain() {
        System.clearProperty(PATIENCE);
    }

    private List<Long> trusted() throws Exception {
        List<Long> pids = new ArrayList<>(List.of(machine().client().status().vmmPid()));
        for (DomainReport domain : machine().client().status().domains()) {
            if (domain.kind() == DomainKind.BACKEND) {
                pids.add(domain.pid());
            }
        }
        assertThat(pids).hasSize(2);
        return pids;
    }

    @Test
    void nobodyAttachesToVmmOrDeviceDomain() throws Exception {
        for (long pid : trusted()) {
            // The attach library would end a JVM by its signal that does not expect it.
            assertThat(arguments(pid)).contains("-XX:+DisableAttachMechanism");
            assertThatThrownBy(() -> VirtualMachine.attach(Long.toString(pid)).detach())
                    .isInstanceOfAny(AttachNotSupportedException.class, IOException.class);
            assertThat(ProcessHandle.of(pid)).isPresent();
            assertThat(Path.of("/tmp/.java_pid" + pid)).doesNotExist();
        }
    }

    @Test
    void theyPublishNoCounters() throws Exception {
        Path counters = Path.of("/tmp", "hsperfdata_" + System.getProperty("user.name"));
        for (long pid : trusted()) {
            assertThat(counters.resolve(Long.toString(pid))).doesNotExist();
        }
    }

    /** Root may look everywhere; of others the kernel keeps what is not dumpable. */
    @Test
    void theirMemoryIsRootsAlone() throws Exception {
        for (long pid : trusted()) {
            assertThat(Files.getAttribute(Path.of("/proc", Long.toString(pid), "mem"), "unix:uid"))
                    .isEqualTo(0);
        }
    }

    @Test
    void stateFoldersAreClosedToOthers() throws Exception {
        Path state = machine().machine().folder().path();
        for (Path folder : List.of(state, state.getParent())) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                    .isEqualTo("rwx------");
        }
    }

    /** So that JAVA_TOOL_OPTIONS and the like of whoever starts a machine reach nobody in it. */
    @Test
    void theyHaveNoEnvironment() throws Exception {
        for (long pid : trusted()) {
            Path environment = Path.of("/proc", Long.toString(pid), "environ");
            if (Files.isReadable(environment)) {
                assertThat(environment).isEmptyFile();
            }
        }
    }

    private static List<String> arguments(long pid) throws IOException {
        return List.of(Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"), StandardCharsets.UTF_8)
                .split("\0", -1));
    }
}
