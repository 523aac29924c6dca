package io.hyperverbs.tests.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.launcher.machine.Installation;
import io.hyperverbs.launcher.machine.MachineLauncher;
import io.hyperverbs.launcher.machine.Parallel;
import io.hyperverbs.launcher.machine.Program;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.machine.StateRoot;
import io.hyperverbs.launcher.progress.QuietProgress;
import io.hyperverbs.launcher.topology.Guest;
import io.hyperverbs.launcher.topology.HcaSpec;
import io.hyperverbs.launcher.topology.Link;
import io.hyperverbs.launcher.topology.Topology;
import io.hyperverbs.vmm.control.MachineClient;
import io.hyperverbs.vmm.cores.CorePlacement;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.DomainState;
import io.hyperverbs.vmm.domain.ProcessEnd;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * A VMM, a device domain and as many guests as a test asks for, in a state folder of their own.
 * Closing takes all down and fails if a process or a file is left. For one thread.
 */
public final class TestMachine implements AutoCloseable {
    private static final Path HERE = Path.of("").toAbsolutePath();

    /** What the build made. */
    public static final Path DISTRIBUTION = HERE.resolveSibling("toolstack").resolve("target/dist");

    /** Class path of programs that are part of the tests. */
    private static final Path TEST_CLASSES = HERE.resolve("target/test-classes");

    // Standard but for the core: engines of machines beside each other would be pinned to the same one.
    private static final HcaSpec HCA = HcaSpec.standard().withCore(CorePlacement.SHARED);

    /** Ends what hangs; a slow computer may take minutes for what takes one here. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final Path runtime;
    private final StateRoot root;
    private final MachineLauncher launcher;
    private final RunningMachine machine;
    private final List<ProcessHandle> processes = Collections.synchronizedList(new ArrayList<>());

    /**
     * Starts the machine with its first domains, which wait for programs or run those given. It
     * ends before its device domain's better compiler would pay.
     */
    public TestMachine(List<Guest> guests, Map<String, Program> programs) throws Exception {
        this(DISTRIBUTION, HCA, guests, programs, Optional.empty(), true);
    }

    /** A machine without guests whose programs may miss keys as often as they like. */
    public static TestMachine withoutKeyLockout() throws Exception {
        return new TestMachine(DISTRIBUTION, HCA.withoutKeyLockout(), List.of(), Map.of(), Optional.empty(), false);
    }

    /** A machine without guests that works for a minute or more. */
    public static TestMachine forLong() throws Exception {
        return new TestMachine(DISTRIBUTION, HCA, List.of(), Map.of(), Optional.empty(), false);
    }

    /** As users run it, for a test that has the computer to itself: the engine has its core. */
    public static TestMachine standard(List<Guest> guests, Map<String, Program> programs) throws Exception {
        return new TestMachine(DISTRIBUTION, HcaSpec.standard(), guests, programs, Optional.empty(), false);
    }

    /** A machine with two HCAs, hv0 and hv1, and no guests. */
    public static TestMachine ofTwoHcas() throws Exception {
        List<HcaSpec> hcas = List.of(
                HcaSpec.standard("hv0", 0).withCore(CorePlacement.SHARED),
                HcaSpec.standard("hv1", 1).withCore(CorePlacement.SHARED));
        Topology topology =
                new Topology("test", hcas, List.of(new Link("hv0", "hv1")), List.of(), List.of(), List.of(), "a test");
        return new TestMachine(runtimeFolder(), DISTRIBUTION, topology, Map.of(), Optional.empty(), true);
    }

    /** A machine without guests in a sandbox of that tier. */
    public static TestMachine ofTier(String sandbox) throws Exception {
        return new TestMachine(DISTRIBUTION, HCA, List.of(), Map.of(), Optional.of(sandbox), true);
    }

    /** A machine without guests of another distribution than the one that was built. */
    public TestMachine(Path installation) throws Exception {
        this(installation, HCA, List.of(), Map.of(), Optional.empty(), true);
    }

    /** A machine without guests that has its files in {@code runtime}, which it removes. */
    public static TestMachine on(Path runtime) throws Exception {
        return new TestMachine(runtime, DISTRIBUTION, alone(HCA, List.of()), Map.of(), Optional.empty(), true);
    }

    private TestMachine(
            Path installation,
            HcaSpec hca,
            List<Guest> guests,
            Map<String, Program> programs,
            Optional<String> sandbox,
            boolean brief)
            throws Exception {
        this(runtimeFolder(), installation, alone(hca, guests), programs, sandbox, brief);
    }

    /** Short, because Unix socket paths are. */
    private static Path runtimeFolder() throws IOException {
        return Files.createTempDirectory(Path.of("/tmp"), "hvm");
    }

    private static Topology alone(HcaSpec hca, List<Guest> guests) {
        return new Topology("test", hca, guests, List.of(), "a test");
    }

    private TestMachine(
            Path runtime,
            Path installation,
            Topology topology,
            Map<String, Program> programs,
            Optional<String> sandbox,
            boolean brief)
            throws Exception {
        this.runtime = runtime;
        root = StateRoot.of(Map.of("XDG_RUNTIME_DIR", runtime.toString()));
        launcher = new MachineLauncher(new Installation(installation), root, new QuietProgress());
        machine = launcher.start(
                topology,
                programs,
                new MachineLauncher.Mode(false, false, sandbox, MachineLauncher.Mode.STANDARD_TIMEOUT, brief)
                        .asOffered());
        ProcessHandle.of(client().status().vmmPid()).ifPresent(processes::add);
        client().status().domains().forEach(this::remember);
    }

    /** A program of the test classes, which ends soon. */
    public static Program program(Class<?> main, String... args) {
        return new Program(main.getName(), List.of(TEST_CLASSES), List.of(args), true);
    }

    /** A guest whose contexts open on {@code path}; {@code native} for a native domain. */
    public static Guest guest(String name, String path) {
        Guest standard = Guest.named(name);
        boolean nativeDomain = path.equals("native");
        return new Guest(
                name,
                nativeDomain,
                standard.memoryBytes(),
                nativeDomain ? standard.path() : path,
                standard.share(),
                false,
                Map.of(),
                Optional.empty());
    }

    public MachineClient client() {
        return machine.client();
    }

    /** The folder below which {@code hv} finds the machine ({@code XDG_RUNTIME_DIR}). */
    public Path runtime() {
        return runtime;
    }

    public RunningMachine machine() {
        return machine;
    }

    /** Starts more domains on it. */
    public MachineLauncher launcher() {
        return launcher;
    }

    /** Starts one more domain; it is ready when this returns. */
    public DomainReport add(Guest guest, Program program) throws Exception {
        return remember(launcher.add(machine, guest, Optional.of(program)));
    }

    /** Starts more guests side by side, all on {@code path}; they are ready when this returns. */
    public void add(String path, Map<String, Program> programs) throws Exception {
        List<Callable<DomainReport>> starts = new ArrayList<>();
        programs.forEach((name, program) -> starts.add(() -> add(guest(name, path), program)));
        Parallel.run(starts, "a guest did not start");
    }

    /** What a guest printed, once it has ended well. */
    public List<String> output(String domain) throws Exception {
        DomainReport ended = awaitEnd(domain);
        assertThat(ended.exitCode()).as("%s: %s", domain, console(domain)).isZero();
        return console(domain);
    }

    /** Waits until the domain has ended. */
    public DomainReport awaitEnd(String domain) throws Exception {
        return client().awaitDomain(domain, EnumSet.of(DomainState.SHUT_DOWN, DomainState.CRASHED), PATIENCE);
    }

    /** Waits for a key of the store. */
    public String awaitKey(String path) throws Exception {
        return client().storeRead(path, PATIENCE)
                .orElseThrow(() -> new AssertionError("no " + path + " within " + PATIENCE));
    }

    /** What a domain printed. */
    public List<String> console(String domain) throws Exception {
        return Files.readAllLines(machine.folder().log(domain));
    }

    @Override
    public void close() throws IOException {
        try {
            machine.shutDown();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the machine went down", e);
        }
        machine.close();
        for (ProcessHandle process : processes) {
            assertThat(ProcessEnd.hasEnded(process))
                    .as("process %d has ended", process.pid())
                    .isTrue();
        }
        Files.deleteIfExists(root.path());
        // Fails if anything was left in it.
        Files.delete(runtime);
    }

    private DomainReport remember(DomainReport report) {
        ProcessHandle.of(report.pid()).ifPresent(processes::add);
        return report;
    }
}
