package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.Installation;
import io.hyperverbs.launcher.machine.MachineLauncher;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.machine.StateRoot;
import io.hyperverbs.launcher.progress.QuietProgress;
import io.hyperverbs.launcher.topology.Guest;
import io.hyperverbs.tests.machine.MemoryGroup;
import io.hyperverbs.tests.machine.TestMachine;
import io.hyperverbs.tests.programs.QueueHog;
import io.hyperverbs.tests.programs.Worker;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.DomainState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A whole machine in a memory group of 2 GiB, as in a small container. Guests of 64 MiB that have
 * the device domain take memory for them do not bring the kernel to end it.
 */
@RunsWhenChanged
class SmallGroupTest {
    private static final long GROUP_BYTES = 2L << 30;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    Path folder;

    @Test
    void deviceDomainLivesWhereGuestsAskForMoreThanTheGroupHas() throws Exception {
        Optional<MemoryGroup> made = MemoryGroup.make(GROUP_BYTES);
        assumeThat(made)
                .as("this computer lets this user make groups for memory")
                .isPresent();
        try (MemoryGroup group = made.orElseThrow();
                HvProcess hv = new HvProcess().within(group)) {
            hv.run("-t", topology().toString(), "up", "-d").expect(0);
            StateRoot root = StateRoot.of(Map.of("XDG_RUNTIME_DIR", hv.runtime().toString()));
            MachineLauncher launcher =
                    new MachineLauncher(new Installation(TestMachine.DISTRIBUTION), root, new QuietProgress());
            try (RunningMachine machine = RunningMachine.attach(root.folder("small"))) {
                List<Long> before =
                        hv.processes().stream().map(ProcessHandle::pid).toList();
                assertThat(group.members()).containsAll(before);
                play(launcher, machine);
                assertThat(hv.processes().stream().map(ProcessHandle::pid)).containsAll(before);
            }
        }
    }

    private Path topology() throws IOException {
        return Files.writeString(folder.resolve("small.hv.yaml"), """
            apiVersion: hv/v1
            name: small
            hca: { core: shared }
            guests: { first: {} }
            """);
    }

    private static void play(MachineLauncher launcher, RunningMachine machine) throws Exception {
        add(launcher, machine, TestMachine.guest("worker", "bypass"), Worker.class);
        long rounds = rounds(machine);

        add(launcher, machine, TestMachine.guest("greedy", "bypass"), QueueHog.class);
        add(launcher, machine, TestMachine.guest("let", "forwarded"), QueueHog.class);

        assertThat(key(machine, "greedy/refused"))
                .isEqualTo("EPERM: data path forwarded: the topology gives this domain path: bypass");
        assertThat(key(machine, "let/widest"))
                .startsWith("0 made, then ENOMEM: ")
                .contains("a forwarded one may have 33554432");
        assertThat(key(machine, "let/wide")).matches("[1-9][0-9]* made, then EAGAIN: .*quota backing: .* in use, .*");
        // What a guest could ask for by its settings, the group has to have.
        Guest promised = TestMachine.guest("more", "forwarded");
        assertThatThrownBy(() ->
                        launcher.add(machine, promised.withQuota(Map.of("backing", GROUP_BYTES)), Optional.empty()))
                .isInstanceOf(HvException.class)
                .hasMessageContaining("quota backing of more: 2048 MiB asked for");

        long worked = rounds(machine);
        assertThat(worked).isGreaterThanOrEqualTo(rounds);
        await("verbs of another guest go on").atMost(PATIENCE).until(() -> rounds(machine) > worked + 1);
        machine.client().storeWrite("domain/tool/end", "yes");
        for (String name : List.of("worker", "greedy", "let")) {
            DomainReport end = machine.client()
                    .awaitDomain(name, EnumSet.of(DomainState.SHUT_DOWN, DomainState.CRASHED), PATIENCE);
            assertThat(end.exitCode())
                    .as("%s: %s", name, Files.readString(machine.folder().log(name)))
                    .isZero();
        }
        assertThat(machine.folder().log("worker")).hasContent("worked to the end\n");
    }

    private static void add(MachineLauncher launcher, RunningMachine machine, Guest guest, Class<?> program)
            throws Exception {
        var _ = launcher.add(machine, guest, Optional.of(TestMachine.program(program)));
    }

    private static long rounds(RunningMachine machine) throws Exception {
        return Long.parseLong(key(machine, "worker/rounds"));
    }

    private static String key(RunningMachine machine, String path) throws Exception {
        return machine.client()
                .storeRead("domain/" + path, PATIENCE)
                .orElseThrow(() -> new AssertionError("no " + path + " within " + PATIENCE));
    }
}
