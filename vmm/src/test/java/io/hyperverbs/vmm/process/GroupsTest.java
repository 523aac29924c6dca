package io.hyperverbs.vmm.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.hyperverbs.lab.ledger.InEachBuild;
import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.vmm.control.MachineClient;
import io.hyperverbs.vmm.cores.CorePlacement;
import io.hyperverbs.vmm.domain.DomainKind;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.DomainSpec;
import io.hyperverbs.vmm.domain.DomainState;
import io.hyperverbs.vmm.envelope.Controller;
import io.hyperverbs.vmm.envelope.GuestLimits;
import io.hyperverbs.vmm.envelope.LeftGroups;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Guests in the control groups of this computer, of whichever version it has. */
@RunsWhenChanged
class GroupsTest {
    private static final long LIMIT_BYTES = 192L << 20;

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
    static void stopMachine() {
        machine.close();
        vmm.close();
    }

    /** Says in the report of the tests what was not shown here. */
    private static void needs(Controller controller) throws Exception {
        assumeThat(machine.status().groups().has(controller))
                .as("this computer lets this user make groups for %s", controller.word())
                .isTrue();
    }

    private static DomainSpec limited(String name, long ramBytes, String what) {
        return VmmProcess.spec(
                name,
                DomainKind.GUEST,
                ramBytes,
                GuestStandIn.class,
                Map.of(GuestLimits.MEMORY_SETTING, Long.toString(LIMIT_BYTES)),
                what);
    }

    private static List<String> groupsOf(long pid) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc", Long.toString(pid), "cgroup"))) {
            return lines.filter(line -> line.contains("hyperverbs-test-")).toList();
        }
    }

    private static List<Path> noted(VmmProcess of) throws IOException {
        return Files.readAllLines(of.state().resolve(LeftGroups.FILE)).stream()
                .map(Path::of)
                .toList();
    }

    @Test
    void guestThatTakesMoreMemoryThanItsLimitIsEndedInWords() throws Exception {
        needs(Controller.MEMORY);
        machine.startDomain(VmmProcess.guest("bystander"));

        machine.startDomain(limited("greedy", 1 << 20, "hog"));

        DomainReport end = machine.awaitDomain("greedy", VmmProcess.ENDED, VmmProcess.WAIT);
        assertThat(end.message()).isEqualTo("ended by the kernel: took more than its 192 MiB of memory beside its RAM");
        assertThat(end.state()).isEqualTo(DomainState.CRASHED);
        assertThat(end.exitCode()).isEqualTo(137);
        assertThat(VmmProcess.find(machine, "bystander").state()).isEqualTo(DomainState.RUNNING);
    }

    @Test
    void ramOfAGuestDoesNotCount() throws Exception {
        needs(Controller.MEMORY);

        machine.startDomain(limited("large", 2 * LIMIT_BYTES, "fill"));

        assertThat(machine.storeRead("domain/large/filled", VmmProcess.WAIT)).isPresent();
        assertThat(VmmProcess.find(machine, "large").state()).isEqualTo(DomainState.RUNNING);
    }

    @Test
    void guestHasGroupsOfItsOwnAndTrustedProcessesShareOne() throws Exception {
        needs(Controller.PIDS);

        DomainReport guest = machine.startDomain(VmmProcess.guest("own"));

        String last = "/guest-own." + guest.id();
        assertThat(groupsOf(guest.pid())).isNotEmpty().allMatch(line -> line.endsWith(last));
        for (long pid : List.of(
                machine.status().vmmPid(), VmmProcess.find(machine, "backend").pid())) {
            assertThat(groupsOf(pid)).hasSameSizeAs(groupsOf(guest.pid())).allMatch(line -> line.endsWith("/trusted"));
        }
    }

    @InEachBuild
    @Test
    void groupsOfAGuestGoWithIt() throws Exception {
        needs(Controller.PIDS);
        DomainReport guest = machine.startDomain(VmmProcess.guest("brief", "exit", "0"));
        machine.awaitDomain("brief", VmmProcess.ENDED, VmmProcess.WAIT);

        assertThat(noted(vmm))
                .isNotEmpty()
                .allSatisfy(path -> assertThat(path).exists())
                .noneMatch(path -> Files.exists(path.resolve("guest-brief." + guest.id())));
    }

    @Test
    void groupsOfAMachineGoWithIt() throws Exception {
        needs(Controller.PIDS);
        try (VmmProcess other = VmmProcess.start(folder.resolve("other"));
                MachineClient client = other.connectWithBackend()) {
            client.startDomain(VmmProcess.guest("a"));
            List<Path> groups = noted(other);

            client.shutdown();

            assertThat(other.awaitExit()).isTrue();
            assertThat(groups).isNotEmpty().noneMatch(Files::exists);
        }
    }

    @Test
    void groupsOfAKilledVmmAreRemovedByWhoeverCleansUp() throws Exception {
        needs(Controller.PIDS);
        try (VmmProcess other = VmmProcess.start(folder.resolve("killed"));
                MachineClient client = other.connectWithBackend()) {
            client.startDomain(VmmProcess.guest("a"));
            List<Path> groups = noted(other);
            other.process().destroyForcibly().waitFor();
            assertThat(groups).isNotEmpty().allMatch(Files::exists);

            LeftGroups.remove(other.state());

            assertThat(groups).noneMatch(Files::exists);
        }
    }

    @Test
    void guestCannotRunOnTheEnginesCore() throws Exception {
        staysOffTheEnginesCore(machine);
    }

    @Test
    void guestCannotRunOnTheEnginesCoreWithoutGroups() throws Exception {
        try (VmmProcess other = VmmProcess.start(folder.resolve("without"), "--no-cgroups");
                MachineClient client = other.connectWithBackend()) {
            assertThat(client.status().groups().versions()).isEmpty();
            staysOffTheEnginesCore(client);
        }
    }

    private static void staysOffTheEnginesCore(MachineClient client) throws Exception {
        String all = coresOf(Path.of("/proc/self/status"));
        assumeThat(all).as("more than one core").containsAnyOf("-", ",");
        String engine = all.substring(Math.max(all.lastIndexOf('-'), all.lastIndexOf(',')) + 1);
        DomainReport guest = client.startDomain(VmmProcess.spec(
                "placed", DomainKind.GUEST, 4096, GuestStandIn.class, Map.of(CorePlacement.SETTING, "dedicated")));

        await().atMost(VmmProcess.WAIT).untilAsserted(() -> {
            try (Stream<Path> tasks = Files.list(Path.of("/proc", Long.toString(guest.pid()), "task"))) {
                for (Path task : tasks.toList()) {
                    assertThat(coresOf(task.resolve("status")))
                            .isNotEqualTo(all)
                            .doesNotEndWith(engine);
                }
            }
        });
    }

    private static String coresOf(Path status) throws IOException {
        try (Stream<String> lines = Files.lines(status)) {
            return lines.filter(line -> line.startsWith("Cpus_allowed_list:"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElseThrow();
        }
    }
}
