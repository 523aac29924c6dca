package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.failure.Failures;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.Installation;
import io.hyperverbs.launcher.machine.MachineLauncher;
import io.hyperverbs.launcher.machine.Program;
import io.hyperverbs.launcher.machine.ProgramSource;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.machine.StateRoot;
import io.hyperverbs.launcher.machine.WorkFolder;
import io.hyperverbs.launcher.topology.Guest;
import io.hyperverbs.launcher.topology.Topology;
import io.hyperverbs.toolstack.cli.CommandContext;
import io.hyperverbs.vmm.domain.MachineException;
import io.hyperverbs.vmm.sandbox.SandboxChoice;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Starting and ending machines, as several commands do it. */
final class Launch {
    /** What is done on a machine. */
    interface Work<T> {
        T on(RunningMachine machine) throws HvException, MachineException, InterruptedException, IOException;
    }

    private Launch() {}

    /** Does the work and takes the machine down; a signal that ends this process takes it down too. */
    static <T> T once(RunningMachine machine, Work<T> work) throws HvException, InterruptedException, IOException {
        try (machine) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> takeDown(machine), "take-down"));
            try {
                return work.on(machine);
            } catch (MachineException e) {
                throw Failures.of(e);
            } finally {
                takeDown(machine);
            }
        }
    }

    /** Starts {@code topology} with the programs it names. */
    static RunningMachine start(CommandContext context, Topology topology, Path folder, MachineLauncher.Mode mode)
            throws HvException, InterruptedException, IOException {
        Installation installation = Installation.current();
        StateRoot root = StateRoot.of(context.environment().environment());
        StartTimeline timeline = StartTimeline.start(context.progress());
        RunningMachine machine;
        try (WorkFolder work = WorkFolder.make();
                timeline) {
            machine = new MachineLauncher(installation, root, timeline)
                    .start(topology, () -> programs(installation, work, topology, folder), mode);
        }
        timeline.note(context, machine);
        return machine;
    }

    /**
     * What the guests of {@code topology} run, by name.
     *
     * @param work folder that compiled classes go to
     * @param folder where relative file names start
     */
    static Map<String, Program> programs(Installation installation, WorkFolder work, Topology topology, Path folder)
            throws HvException {
        ProgramSource source = new ProgramSource(installation.guestClassPath(), work.path());
        Map<String, Program> programs = new HashMap<>();
        for (Guest guest : topology.guests()) {
            if (guest.app().isPresent()) {
                Guest.App app = guest.app().get();
                programs.put(
                        guest.name(),
                        app.isExecutable()
                                ? Program.executable(app.main(), app.args())
                                : source.find(app.main(), app.args(), folder));
            }
        }
        return programs;
    }

    /** How {@code desk} is asked to start machines. */
    static MachineLauncher.Mode mode(CommandContext context, boolean detached, LaunchOptions launch) {
        return new MachineLauncher.Mode(
                detached,
                launch.insecure,
                Optional.ofNullable(launch.sandbox).map(SandboxChoice::toString),
                context.options().timeoutOr(MachineLauncher.Mode.STANDARD_TIMEOUT),
                false,
                !launch.withoutGroups,
                false);
    }

    /** Which sandbox its guests are in, and what limits them. */
    static String tierLine(RunningMachine machine) throws HvException {
        try {
            return "guests in sandbox tier "
                    + machine.client().status().sandboxTier()
                    + ", "
                    + machine.promises().summary();
        } catch (MachineException e) {
            throw Failures.of(e);
        }
    }

    /** Where the engines of several HCAs run; empty for one. */
    static String engineLine(RunningMachine machine) throws HvException {
        return machine.engines().words(Runtime.getRuntime().availableProcessors());
    }

    /** Takes a machine down; for shutdown hooks and the end of commands alike. */
    static void takeDown(RunningMachine machine) {
        try {
            machine.shutDown();
        } catch (IOException e) {
            System.err.println("hv: cannot remove " + machine.folder().path() + ": " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
