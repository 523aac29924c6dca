package io.hyperverbs.toolstack.commands;

import io.hyperverbs.lab.run.LabPrograms;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.Failures;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.failure.Suggestion;
import io.hyperverbs.launcher.hosts.HostedTopology;
import io.hyperverbs.launcher.machine.MachineFolder;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.machine.StateRoot;
import io.hyperverbs.launcher.topology.BuiltIn;
import io.hyperverbs.launcher.topology.Topology;
import io.hyperverbs.launcher.topology.TopologyLoader;
import io.hyperverbs.toolstack.cli.CommandContext;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.MachineException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the topology and the machine that a command line means. */
final class Machines {
    private static final String SUFFIX = ".hv.yaml";

    private final CommandContext context;

    Machines(CommandContext context) {
        this.context = context;
    }

    StateRoot root() {
        return StateRoot.of(context.environment().environment());
    }

    /** The topology to start or check: given, or the one file here. */
    Topology topology() throws HvException {
        String given = context.options().topology();
        String name = given == null ? onlyFileHere() : given;
        Optional<Topology> builtIn = BuiltIn.find(name);
        if (builtIn.isEmpty() && !Files.exists(context.path(name))) {
            throw noTopology(name);
        }
        return builtIn.isPresent() ? builtIn.get() : TopologyLoader.load(context.path(name), name, new LabPrograms());
    }

    private HvException noTopology(String name) throws HvException {
        // The part before a comma is the name: pear,n=2. Names are short, and few.
        String word = name.replaceFirst(",.*", "");
        Optional<String> meant = Suggestion.closest(word, BuiltIn.NAMES, 2);
        if (meant.isEmpty()) {
            meant = Suggestion.closest(name, filesHere());
        }
        return new HvException(
                ExitCode.NOT_FOUND,
                "no topology file " + name,
                meant.map(near -> "did you mean '" + near + "'?")
                        .orElse("built-in: pair, star,n=N, ring,n=N; or see examples/"));
    }

    /** Whether one is given, or there is a file here. */
    boolean hasTopology() throws HvException {
        return context.options().topology() != null || !filesHere().isEmpty();
    }

    /** The folder that relative file names in the topology start at. */
    Path topologyFolder() throws HvException {
        String given = context.options().topology();
        String name = given == null ? onlyFileHere() : given;
        Path parent = BuiltIn.find(name).isPresent() ? null : context.path(name).getParent();
        return parent == null ? context.environment().folder() : parent;
    }

    private String onlyFileHere() throws HvException {
        List<String> files = filesHere();
        if (files.size() == 1) {
            return files.getFirst();
        }
        throw files.isEmpty()
                ? new HvException(
                        ExitCode.NOT_FOUND,
                        "no *" + SUFFIX + " here",
                        "name a file or a built-in topology with -t: pair, star,n=4, ring,n=4")
                : new HvException(
                        ExitCode.USAGE, "several topologies here: " + String.join(", ", files), "choose one with -t");
    }

    private List<String> filesHere() throws HvException {
        try (Stream<Path> files = Files.list(context.environment().folder())) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(SUFFIX))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new HvException(ExitCode.FAILURE, "cannot list this folder: " + e, "");
        }
    }

    /**
     * The running machine that is meant: by -t, or the only one that {@code hv up} started, or that
     * of the only file here. Those of other commands are meant by -t alone.
     */
    RunningMachine running() throws HvException {
        return RunningMachine.attach(runningFolder());
    }

    MachineFolder runningFolder() throws HvException {
        List<MachineFolder> running = allRunning();
        List<String> names = running.stream().map(MachineFolder::name).toList();
        String given = context.options().topology();
        if (given != null) {
            return pick(running, nameOf(given, names), names);
        }
        running = offered(running);
        names = running.stream().map(MachineFolder::name).toList();
        if (running.size() == 1) {
            return running.getFirst();
        }
        if (running.isEmpty()) {
            throw new HvException(
                    ExitCode.NOT_FOUND, "no topology is running", passedOver().orElse("hv up starts one"));
        }
        if (filesHere().size() == 1) {
            return pick(running, topology().name(), names);
        }
        throw new HvException(
                ExitCode.USAGE, "several topologies are running: " + String.join(", ", names), "choose one with -t");
    }

    /** The topology over several hosts that is meant, by -t or as the only one that runs; empty for one on this computer. */
    Optional<HostedTopology> hosted() throws HvException {
        List<MachineFolder> hosted = allHosted();
        if (hosted.isEmpty()) {
            return Optional.empty();
        }
        List<String> names =
                new ArrayList<>(hosted.stream().map(MachineFolder::name).toList());
        List<String> offered = offered().stream().map(MachineFolder::name).toList();
        String given = context.options().topology();
        if (given == null && hosted.size() + offered.size() > 1 && filesHere().size() != 1) {
            names.addAll(offered);
            throw new HvException(
                    ExitCode.USAGE,
                    "several topologies are running: " + String.join(", ", names),
                    "choose one with -t");
        }
        boolean only = given == null && offered.isEmpty() && hosted.size() == 1;
        String meant = only ? names.getFirst() : given == null ? topology().name() : nameOf(given, names);
        for (MachineFolder folder : hosted) {
            if (folder.name().equals(meant)) {
                return Optional.of(HostedTopology.of(root(), folder));
            }
        }
        return Optional.empty();
    }

    /** Folders of all topologies over several hosts that were started here. */
    List<MachineFolder> allHosted() throws HvException {
        try {
            return root().hosted();
        } catch (IOException e) {
            throw new HvException(ExitCode.FAILURE, "cannot look at " + root().path() + ": " + e, "");
        }
    }

    /** Whether the topology that -t means runs on this computer; without -t, whether any runs that is offered. */
    boolean isMeantRunning() throws HvException {
        List<String> names = allRunning().stream().map(MachineFolder::name).toList();
        String given = given();
        return given == null ? !offered().isEmpty() : names.contains(nameOf(given, names));
    }

    /** The running ones that {@code hv up} started. */
    List<MachineFolder> offered() throws HvException {
        return offered(allRunning());
    }

    private static List<MachineFolder> offered(List<MachineFolder> running) {
        return running.stream().filter(MachineFolder::isOffered).toList();
    }

    /** Says which running machines are not taken without -t; empty if there are none. */
    Optional<String> passedOver() throws HvException {
        List<String> names = allRunning().stream()
                .filter(folder -> !folder.isOffered())
                .map(MachineFolder::name)
                .toList();
        return names.isEmpty()
                ? Optional.empty()
                : Optional.of("passed over, as another command started "
                        + (names.size() == 1 ? "it: " : "them: ")
                        + String.join(", ", names)
                        + "; -t means one of them");
    }

    /** All, those that other commands started for themselves too. */
    List<MachineFolder> allRunning() throws HvException {
        try {
            return root().running();
        } catch (IOException e) {
            throw new HvException(ExitCode.FAILURE, "cannot look at " + root().path() + ": " + e, "");
        }
    }

    /** What runs goes before what is in a file of that name. */
    private String nameOf(String given, List<String> names) throws HvException {
        if (names.contains(given)) {
            return given;
        }
        boolean isName = !given.contains("/") && !given.contains(".") && !given.contains(",");
        boolean isFile = Files.isRegularFile(context.path(given));
        return isName && !isFile ? given : topology().name();
    }

    private static MachineFolder pick(List<MachineFolder> running, String name, List<String> names) throws HvException {
        for (MachineFolder folder : running) {
            if (folder.name().equals(name)) {
                return folder;
            }
        }
        String hint = Suggestion.hint(name, names);
        throw new HvException(
                ExitCode.NOT_FOUND,
                "topology " + name + " is not running",
                hint.isEmpty() ? names.isEmpty() ? "hv up starts one" : "running: " + String.join(", ", names) : hint);
    }

    /** The domain of that name. */
    static DomainReport domain(RunningMachine machine, String name) throws HvException {
        try {
            List<DomainReport> domains = machine.client().status().domains();
            for (DomainReport domain : domains) {
                if (domain.name().equals(name)) {
                    return domain;
                }
            }
            List<String> names = domains.stream().map(DomainReport::name).toList();
            throw new HvException(
                    ExitCode.NOT_FOUND,
                    "no domain " + name + " in " + machine.folder().name(),
                    Suggestion.hintOrAll(name, names));
        } catch (MachineException e) {
            throw Failures.of(e);
        }
    }

    /** For messages: what was given with -t, or nothing. */
    @Nullable
    String given() {
        return context.options().topology();
    }
}
