package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperverbs.tests.machine.MemoryGroup;
import io.hyperverbs.tests.machine.TestMachine;
import io.hyperverbs.vmm.domain.ProcessEnd;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs the {@code hv} command as a process, with a runtime folder of its own so that tests do not
 * meet. Closing takes down what a failed test left and fails if a process or a file survives.
 */
final class HvProcess implements AutoCloseable {
    private static final JsonMapper JSON = new JsonMapper();
    private static final Path TOP = Path.of("").toAbsolutePath().getParent();

    /** What one call left. */
    record Outcome(int exit, String out, String err) {
        JsonNode json() {
            return JSON.readTree(out);
        }

        Outcome expect(int expected) {
            assertThat(exit).as("exit code; stdout: %s stderr: %s", out, err).isEqualTo(expected);
            return this;
        }
    }

    private final Path runtime;
    private final Map<String, String> more = new HashMap<>();
    private final List<ProcessHandle> mentioned = new ArrayList<>();
    private @Nullable MemoryGroup group;
    private Path input = Path.of("/dev/null");
    private List<String> before = List.of();

    HvProcess() throws IOException {
        // Short, because Unix socket paths are.
        runtime = Files.createTempDirectory(Path.of("/tmp"), "hvt");
    }

    /** Speaks of a machine that is the test's; not to be closed. */
    HvProcess(TestMachine machine) {
        runtime = machine.runtime();
    }

    /** Sets a variable for all calls that follow. */
    HvProcess with(String variable, String value) {
        more.put(variable, value);
        return this;
    }

    /** Has all calls that follow run by a command, such as {@code nsenter} with its options. */
    HvProcess under(List<String> command) {
        before = List.copyOf(command);
        return this;
    }

    /** Has all calls that follow read a file. */
    HvProcess reading(Path file) {
        input = file;
        return this;
    }

    /** Has the next call, and what it starts, in a group of little memory. */
    HvProcess within(MemoryGroup small) {
        group = small;
        return this;
    }

    /** Runs it on a pseudo-terminal, where standard error comes with standard output; by {@code script} of util-linux. */
    Outcome onTerminal(int columns, String... args) throws IOException, InterruptedException {
        String line = "stty cols " + columns + "; exec '" + String.join("' '", command(args)) + "'";
        return run(Duration.ofMinutes(2), List.of("script", "-qec", line, "/dev/null"));
    }

    /** The folder below which hv keeps the state of this test's topologies. */
    Path runtime() {
        return runtime;
    }

    /** The state folder of a topology. */
    Path state(String topology) throws IOException {
        try (Stream<Path> folders = Files.list(runtime)) {
            return folders.findFirst().orElseThrow().resolve(topology);
        }
    }

    Outcome run(String... args) throws IOException, InterruptedException {
        return run(Duration.ofMinutes(2), args);
    }

    Outcome run(Duration deadline, String... args) throws IOException, InterruptedException {
        return run(deadline, command(args));
    }

    private Outcome run(Duration deadline, List<String> command) throws IOException, InterruptedException {
        Path out = Files.createTempFile(runtime, "out", ".txt");
        Path err = Files.createTempFile(runtime, "err", ".txt");
        try {
            Process process = start(out, err, command);
            if (!process.waitFor(deadline.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(command + " did not end in " + deadline + ": " + Files.readString(err));
            }
            return new Outcome(process.exitValue(), Files.readString(out), Files.readString(err));
        } finally {
            Files.deleteIfExists(out);
            Files.deleteIfExists(err);
        }
    }

    /** Starts hv and leaves it running. */
    Process start(Path out, Path err, String... args) throws IOException {
        return start(out, err, command(args));
    }

    private List<String> command(String... args) {
        List<String> command = new ArrayList<>(before);
        command.add(TOP.resolve("hv").toString());
        command.addAll(List.of(args));
        return command;
    }

    private Process start(Path out, Path err, List<String> command) throws IOException {
        MemoryGroup within = group;
        // A group of version 2 takes in no more processes once a machine has made groups in it.
        group = null;
        ProcessBuilder builder = new ProcessBuilder(within == null ? command : within.enter(command))
                .directory(TOP.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .redirectInput(input.toFile());
        Map<String, String> environment = builder.environment();
        String path = environment.get("PATH");
        environment.clear();
        environment.put("PATH", path == null ? "/usr/bin:/bin" : path);
        environment.put("XDG_RUNTIME_DIR", runtime.toString());
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.putAll(more);
        return builder.start();
    }

    /** The pids that {@code hv ps} shows, remembered for {@link #close}. */
    List<ProcessHandle> processes() throws IOException, InterruptedException {
        JsonNode ps = run("ps", "--format", "json").expect(0).json();
        List<ProcessHandle> found = new ArrayList<>();
        for (JsonNode domain : ps.get("domains")) {
            ProcessHandle.of(domain.get("pid").asLong()).ifPresent(found::add);
        }
        mentioned.addAll(found);
        return found;
    }

    /** Waits until so many of the processes are left. */
    static void awaitLeft(List<ProcessHandle> processes, int left) {
        await().atMost(Duration.ofMinutes(1))
                .until(() -> processes.stream().filter(ProcessEnd::hasEnded).count() == processes.size() - left);
    }

    @Override
    public void close() throws IOException {
        try {
            run("down", "--all");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            for (ProcessHandle process : mentioned) {
                assertThat(ProcessEnd.hasEnded(process))
                        .as("process %d has ended", process.pid())
                        .isTrue();
            }
            deleteFolder(runtime);
        }
    }

    private static void deleteFolder(Path folder) throws IOException {
        List<Path> left;
        try (Stream<Path> files = Files.walk(folder)) {
            left = files.sorted((a, b) -> b.getNameCount() - a.getNameCount()).toList();
        }
        for (Path path : left) {
            Files.delete(path);
        }
        assertThat(left.stream().filter(path -> path.getNameCount() > folder.getNameCount() + 1))
                .as("files that hv left")
                .isEmpty();
    }
}
