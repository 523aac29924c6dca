package io.hyperverbs.vmm.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineEnvelopeTest {
    private static final long SELF = ProcessHandle.current().pid();
    private static final GuestLimits LIMITS = new GuestLimits(64 << 20, 100, 3);
    private static final BitSet CORES = BitSet.valueOf(new long[] {0b1011});

    @TempDir
    Path folder;

    private FakeTree tree;
    private MachineEnvelope envelope;

    @BeforeEach
    void empty() {
        tree = new FakeTree(folder);
        envelope = new MachineEnvelope(tree);
    }

    private void open() throws IOException {
        envelope.open(new HierarchyFinder(tree, tree.proc()).find(), "pair", SELF, folder);
    }

    private static Path machineIn(Path parent) {
        return parent.resolve("hyperverbs-pair-" + SELF);
    }

    @Nested
    class OfVersionOne {
        private Path memory;
        private Path cpu;
        private Path cpuset;
        private Path pids;

        @BeforeEach
        void mount() throws IOException {
            memory = tree.v1("memory", "/", "/own");
            cpu = tree.v1("cpu,cpuacct", "/", "/");
            cpuset = tree.v1("cpuset", "/", "/");
            pids = tree.v1("pids", "/", "/");
            open();
        }

        @Test
        void movesTrustedProcessesIntoAGroupOfTheirOwn() throws Exception {
            for (Path parent : List.of(memory, cpu, cpuset, pids)) {
                assertThat(tree.at(machineIn(parent).resolve("trusted"), "cgroup.procs"))
                        .isEqualTo(Long.toString(SELF));
            }
            assertThat(tree.at(machineIn(cpuset).resolve("trusted"), "cpuset.cpus"))
                    .isEqualTo("0-3");
            assertThat(tree.at(machineIn(memory).resolve("trusted"), "memory.limit_in_bytes"))
                    .isEmpty();
        }

        @Test
        void limitsAGuest() throws Exception {
            var _ = envelope.guest("a", 7, LIMITS);

            assertThat(tree.at(machineIn(memory).resolve("guest-a.7"), "memory.limit_in_bytes"))
                    .isEqualTo("67108864");
            assertThat(tree.at(machineIn(memory).resolve("guest-a.7"), "memory.memsw.limit_in_bytes"))
                    .isEqualTo("67108864");
            assertThat(tree.at(machineIn(cpu).resolve("guest-a.7"), "cpu.shares"))
                    .isEqualTo("306");
            assertThat(tree.at(machineIn(pids).resolve("guest-a.7"), "pids.max"))
                    .isEqualTo("100");
            assertThat(tree.at(machineIn(cpuset).resolve("guest-a.7"), "cpuset.mems"))
                    .isEqualTo("0");
        }

        @Test
        void trustedProcessesHaveTenTimesTheShareOfTheHeaviestGuest() throws Exception {
            var _ = envelope.guest("a", 1, LIMITS);
            var _ = envelope.guest("b", 2, GuestLimits.standard(1));

            assertThat(tree.at(machineIn(cpu).resolve("trusted"), "cpu.shares")).isEqualTo("3060");
        }

        @Test
        void leavesAGuestPartOfItsShare() throws Exception {
            GuestGroup guest = envelope.guest("a", 1, LIMITS);
            List<String> shares = new ArrayList<>();
            for (double part : new double[] {0.5, 0.51, 0.99, 1, 0.001}) {
                guest.keepPart(part);
                shares.add(tree.at(machineIn(cpu).resolve("guest-a.1"), "cpu.shares"));
            }

            assertThat(shares).containsExactly("153", "153", "303", "306", "2");
        }

        @Test
        void aGroupThatIsGoneKeepsNothing() throws Exception {
            GuestGroup guest = envelope.guest("a", 1, LIMITS);
            guest.close();

            guest.keepPart(0.5);

            assertThat(machineIn(cpu).resolve("guest-a.1")).doesNotExist();
        }

        @Test
        void keepsAGuestToCores() throws Exception {
            GuestGroup guest = envelope.guest("a", 1, LIMITS);

            assertThat(guest.keepTo(CORES)).isTrue();

            assertThat(tree.at(machineIn(cpuset).resolve("guest-a.1"), "cpuset.cpus"))
                    .isEqualTo("0,1,3");
        }

        @Test
        void saysWhatTheKernelEndedAGuestFor() throws Exception {
            GuestGroup guest = envelope.guest("a", 1, LIMITS);
            String before = guest.excess();

            Files.writeString(
                    machineIn(memory).resolve("guest-a.1/memory.oom_control"),
                    "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n");

            assertThat(before).isEmpty();
            assertThat(guest.excess()).isEqualTo("took more than its 64 MiB of memory beside its RAM");
        }

        @Test
        void leavesNothing() throws Exception {
            GuestGroup guest = envelope.guest("a", 1, LIMITS);
            var _ = envelope.guest("b", 2, LIMITS);
            guest.close();

            envelope.close();

            for (Path parent : List.of(memory, cpu, cpuset, pids)) {
                assertThat(machineIn(parent)).doesNotExist();
                assertThat(tree.at(parent, "cgroup.procs")).isEqualTo(Long.toString(SELF));
            }
        }

        @Test
        void whoCleansUpAfterACrashFindsTheGroups() throws Exception {
            assertThat(Files.readAllLines(folder.resolve(LeftGroups.FILE)))
                    .contains(machineIn(memory).toString(), machineIn(pids).toString());
        }
    }

    @Nested
    class OfVersionTwo {
        @Test
        void limitsAGuestBelowAGroupThatHandsControllersOn() throws Exception {
            Path home = tree.v2("cpuset cpu memory pids", "/scope");
            open();

            GuestGroup group = envelope.guest("a", 1, LIMITS);

            Path guest = machineIn(home).resolve("guest-a.1");
            assertThat(tree.at(guest, "memory.max")).isEqualTo("67108864");
            assertThat(tree.at(guest, "memory.swap.max")).isEqualTo("0");
            assertThat(tree.at(guest, "memory.oom.group")).isEqualTo("1");
            assertThat(tree.at(guest, "cpu.weight")).isEqualTo("30");
            assertThat(tree.at(guest, "pids.max")).isEqualTo("100");
            assertThat(tree.at(machineIn(home).resolve("trusted"), "cpu.weight"))
                    .isEqualTo("300");
            assertThat(tree.at(machineIn(home).resolve("trusted"), "cgroup.procs"))
                    .isEqualTo(Long.toString(SELF));
            assertThat(group.keepTo(CORES)).isTrue();
            assertThat(tree.at(guest, "cpuset.cpus")).isEqualTo("0,1,3");
        }

        @Test
        void leavesItsOwnGroupToItsCallers() throws Exception {
            Path home = tree.v2("memory", "/scope");
            open();

            envelope.close();

            assertThat(tree.at(home.resolve("hyperverbs-callers"), "cgroup.procs"))
                    .isEqualTo(Long.toString(SELF));
            assertThat(machineIn(home)).doesNotExist();
        }

        @Test
        void passesOverACallerThatEndsMeanwhile() throws Exception {
            Path home = tree.v2("memory", "/scope");
            long parent = ProcessHandle.current().parent().orElseThrow().pid();
            Files.writeString(home.resolve("cgroup.procs"), SELF + "\n" + parent + "\n");
            tree.end(parent);

            open();

            assertThat(envelope.found().format()).isEqualTo("memory=2");
        }

        @Test
        void takesTheControllersThatItIsGiven() throws Exception {
            tree.v2("memory pids", "/scope");
            open();

            GuestGroup guest = envelope.guest("a", 1, LIMITS);

            assertThat(envelope.found().format()).isEqualTo("memory=2 pids=2");
            assertThat(guest.keepTo(CORES)).isFalse();
        }

        @Test
        void saysWhatTheKernelEndedAGuestFor() throws Exception {
            Path home = tree.v2("memory", "/scope");
            open();
            GuestGroup guest = envelope.guest("a", 1, LIMITS);

            Files.writeString(machineIn(home).resolve("guest-a.1/memory.events"), "oom 3\noom_kill 2\n");

            assertThat(guest.excess()).contains("64 MiB");
        }
    }

    @Test
    void doesWithoutGroupsThatCannotBeMade() throws Exception {
        Path memory = tree.v1("memory", "/", "/");
        tree.v1("pids", "/", "/");
        List<Hierarchy> found = new HierarchyFinder(tree, tree.proc()).find();
        tree.forbid(machineIn(memory));

        envelope.open(found, "pair", SELF, folder);

        assertThat(envelope.found().format()).isEqualTo("pids=1");
        assertThat(machineIn(memory)).doesNotExist();
    }

    @Test
    void leavesNothingOfAGuestWhoseLimitsCannotBeSet() throws Exception {
        Path memory = tree.v1("memory", "/", "/");
        Path pids = tree.v1("pids", "/", "/");
        open();
        tree.forbid(machineIn(pids).resolve("guest-a.1"));

        assertThatThrownBy(() -> envelope.guest("a", 1, LIMITS)).isInstanceOf(IOException.class);

        assertThat(machineIn(memory).resolve("guest-a.1")).doesNotExist();
        assertThat(machineIn(pids).resolve("guest-a.1")).doesNotExist();
    }

    @Test
    void withoutGroupsACommandStaysAsItIs() throws Exception {
        GuestGroup guest = envelope.guest("a", 1, LIMITS);

        assertThat(guest.enter(List.of("/bin/true"))).containsExactly("/bin/true");
        assertThat(guest.excess()).isEmpty();
    }

    @Test
    void groupsFoundSurviveALine() {
        for (String line : List.of("", "memory=1 cpu=2 cpuset=1 pids=2")) {
            assertThat(GroupsFound.parse(line).format()).isEqualTo(line);
        }
        assertThat(GroupsFound.parse("memory=1 cpu=2").by(Controller.MEMORY, Controller.CPU))
                .hasValue("cgroup v1 and cgroup v2");
    }

    @Test
    void aNoteOfOthersRemovesNothing() throws Exception {
        Path foreign = Files.createDirectories(folder.resolve("foreign"));
        Files.writeString(foreign.resolve("cgroup.procs"), "");
        Files.writeString(folder.resolve(LeftGroups.FILE), foreign + "\n");

        LeftGroups.remove(folder);

        assertThat(foreign).exists();
    }
}
