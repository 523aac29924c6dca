package io.hyperverbs.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.toolstack.conformance.ConformanceProgram;
import io.hyperverbs.toolstack.machine.Distribution;
import io.hyperverbs.toolstack.machine.Machine;
import io.hyperverbs.toolstack.machine.MachineLauncher;
import io.hyperverbs.toolstack.machine.Program;
import io.hyperverbs.toolstack.machine.StateRoot;
import io.hyperverbs.toolstack.progress.QuietProgress;
import io.hyperverbs.toolstack.topology.Card;
import io.hyperverbs.toolstack.topology.Guest;
import io.hyperverbs.toolstack.topology.Topology;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.DomainState;

import org.jspecify.annotations.Nullable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A VMM and a device domain in which the conformance program runs in one domain after the other.
 * For one thread.
 */
final class ContractMachine {
    private static final Path DISTRIBUTION =
            Path.of("").toAbsolutePath().resolveSibling("toolstack").resolve("target/dist");

    /** Far more than a run takes on two busy cores. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Path runtime;
    private final MachineLauncher launcher;
    private @Nullable Machine machine;

    /** What a domain left when its program ended. */
    record Run(int exitCode, List<String> console) {}

    ContractMachine() throws Exception {
        // Short, because Unix socket paths are.
        runtime = Files.createTempDirectory(Path.of("/tmp"), "hvc");
        launcher =
                new MachineLauncher(
                        new Distribution(DISTRIBUTION),
                        StateRoot.of(Map.of("XDG_RUNTIME_DIR", runtime.toString())),
                        new QuietProgress());
    }

    /**
     * Runs all cases in a new domain.
     *
     * @param path native, bypass, forwarded or forwarded-unary
     */
    Run run(String path) throws Exception {
        Guest guest = domain(path);
        Program program = new Program(ConformanceProgram.class.getName(), List.of(), List.of());
        if (machine == null) {
            machine =
                    launcher.start(
                            new Topology(
                                    "contract",
                                    Card.standard(),
                                    List.of(guest),
                                    List.of(),
                                    "the contract suite"),
                            Map.of(path, program),
                            new MachineLauncher.Mode(false, false));
        } else {
            launcher.add(machine, guest, Optional.of(program));
        }
        DomainReport end =
                machine.client()
                        .awaitDomain(
                                path,
                                EnumSet.of(DomainState.SHUT_DOWN, DomainState.CRASHED),
                                PATIENCE);
        return new Run(end.exitCode(), Files.readAllLines(machine.folder().log(path)));
    }

    private static Guest domain(String path) {
        boolean nativeDomain = path.equals("native");
        Guest standard = Guest.named(path);
        return new Guest(
                path,
                nativeDomain,
                standard.memoryBytes(),
                nativeDomain ? standard.path() : path,
                standard.weight(),
                false,
                Map.of(),
                Optional.empty());
    }

    /** Takes the machine down; nothing of it may stay. */
    void takeDown() throws Exception {
        if (machine != null) {
            machine.shutDown();
            machine.close();
            assertThat(machine.isAlive()).as("the VMM lives").isFalse();
        }
        Path root = StateRoot.of(Map.of("XDG_RUNTIME_DIR", runtime.toString())).path();
        Files.deleteIfExists(root);
        // Fails if anything was left in it.
        Files.delete(runtime);
    }
}
