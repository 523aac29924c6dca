package io.hyperverbs.vmm.process;

import io.hyperverbs.vmm.control.MachineClient;
import io.hyperverbs.vmm.domain.DomainKind;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.DomainSpec;
import io.hyperverbs.vmm.domain.DomainState;
import io.hyperverbs.vmm.domain.MachineException;
import io.hyperverbs.vmm.domain.ProcessEnd;
import io.hyperverbs.vmm.envelope.LeftGroups;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A VMM in a process of its own, as the toolstack starts it. */
final class VmmProcess implements AutoCloseable {
    /** Long enough for whatever a test waits for. */
    static final Duration WAIT = Duration.ofSeconds(30);

    /** States of a domain that is no more. */
    static final Set<DomainState> ENDED = Set.of(DomainState.SHUT_DOWN, DomainState.CRASHED);

    static final List<String> JVM_OPTIONS = List.of(
            "-XX:-UsePerfData",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow");

    private final Process process;
    private final Path state;
    private final String firstLine;

    private VmmProcess(Process process, Path state, String firstLine) {
        this.process = process;
        this.state = state;
        this.firstLine = firstLine;
    }

    static VmmProcess start(Path state, String... more) throws IOException {
        Process process = begin(state, more);
        var output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = output.readLine();
        return new VmmProcess(process, state, line == null ? "" : line);
    }

    /** Of which nothing has been waited for. */
    static Process begin(Path state, String... more) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM_OPTIONS);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add("io.hyperverbs.vmm.VmmMain");
        command.addAll(List.of("--name", "test", "--state", state.toString()));
        command.addAll(List.of(more));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    String firstLine() {
        return firstLine;
    }

    Process process() {
        return process;
    }

    Path state() {
        return state;
    }

    /** The machine, its device domain started: guests may come. */
    MachineClient connectWithBackend() throws MachineException {
        MachineClient machine = MachineClient.connect(state.resolve("vmm.sock"));
        machine.startDomain(backend());
        return machine;
    }

    /** All processes that the VMM has started, and theirs. */
    List<ProcessHandle> descendants() {
        return process.descendants().toList();
    }

    /** Whether a process is there and is not merely waiting to be reaped by the system's first. */
    static boolean runs(ProcessHandle handle) {
        return !ProcessEnd.hasEnded(handle);
    }

    boolean awaitExit() throws InterruptedException {
        return process.waitFor(20, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
        try {
            // One that was refused has made none, and the note is the other's.
            if (firstLine.startsWith("ready")) {
                LeftGroups.remove(state);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static DomainSpec backend() {
        return spec("backend", DomainKind.BACKEND, 0, BackendStandIn.class, Map.of());
    }

    static DomainSpec guest(String name, String... args) {
        return spec(name, DomainKind.GUEST, 1 << 20, GuestStandIn.class, Map.of(), args);
    }

    static DomainSpec spec(
            String name,
            DomainKind kind,
            long memoryBytes,
            Class<?> main,
            Map<String, String> settings,
            String... args) {
        List<Path> classPath = Stream.of(System.getProperty("java.class.path").split(":"))
                .map(Path::of)
                .toList();
        List<String> options = new ArrayList<>(JVM_OPTIONS);
        options.add("-Xmx64m");
        return new DomainSpec(
                name,
                kind,
                memoryBytes,
                classPath,
                Optional.empty(),
                options,
                main.getName(),
                Arrays.asList(args),
                settings);
    }

    static DomainReport find(MachineClient machine, String name) throws MachineException {
        return machine.status().domains().stream()
                .filter(domain -> domain.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
