package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hyperverbs.vmm.posix.TunDevice;
import io.hyperverbs.vmm.sandbox.SandboxProbe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A machine with guests a and b, or more, in which executables of the computer run. */
final class ExecutableGuests {
    /** The libraries that executables load, as the build left them. */
    static final Path LIBRARIES = Path.of("..").resolve("toolstack/target/dist/native");

    private final HvProcess hv;

    /** Of {@code hv exec}. */
    private final List<String> options;

    private ExecutableGuests(HvProcess hv, List<String> options) {
        this.hv = hv;
        this.options = options;
    }

    /** The same machine, in which executables run with that option of {@code hv exec}. */
    ExecutableGuests with(String option) {
        return new ExecutableGuests(hv, List.of(option));
    }

    /** The test is skipped where no sandbox has namespaces. */
    static void assumeNamespaces() {
        assumeTrue(
                SandboxProbe.working().getFirst().tier().hasNamespaces(),
                "no sandbox of namespaces works on this computer");
    }

    /** The test is skipped where guests cannot have addresses. */
    static void assumeAddresses() {
        assumeNamespaces();
        assumeTrue(TunDevice.isHere(), "no TUN devices that this user can make: " + TunDevice.FILE);
    }

    /** Starts one with guests a and b. */
    static ExecutableGuests start(Path folder, String name, int count, String memory) throws Exception {
        return start(folder, name, List.of("a", "b"), count, memory);
    }

    /**
     * Starts one; the test is skipped where no sandbox has namespaces.
     *
     * @param count of programs that run verbs at a time in each guest
     */
    static ExecutableGuests start(Path folder, String name, List<String> guests, int count, String memory)
            throws Exception {
        assumeNamespaces();
        return start(folder, name, """
            defaults: { guest: { executables: { count: %d, memory: %s } } }
            guests: { %s }
            """.formatted(count, memory, String.join(": {}, ", guests) + ": {}"));
    }

    /**
     * Starts one of that topology, whose first lines are written here.
     *
     * @param options of {@code hv up}
     */
    static ExecutableGuests start(Path folder, String name, String topology, String... options) throws Exception {
        Path file = Files.writeString(
                folder.resolve(name + ".hv.yaml"), "apiVersion: hv/v1\nname: " + name + "\n" + topology);
        HvProcess hv = new HvProcess();
        try {
            List<String> words = new ArrayList<>(List.of("-t", file.toString(), "up", "-d"));
            words.addAll(List.of(options));
            hv.run(words.toArray(String[]::new)).expect(0);
        } catch (Exception | AssertionError e) {
            hv.close();
            throw e;
        }
        return new ExecutableGuests(hv, List.of());
    }

    /** The test is skipped where one of these programs is not there. */
    static void assumePrograms(List<String> programs, String packages) {
        for (String program : programs) {
            assumeTrue(
                    Files.isExecutable(Path.of("/usr/bin", program)), program + " is not installed (" + packages + ")");
        }
    }

    HvProcess.Outcome run(String... words) throws Exception {
        return hv.run(words);
    }

    /** Runs an executable in a guest, for a minute at most. */
    HvProcess.Outcome exec(String guest, List<String> words) throws Exception {
        return exec(60, guest, words);
    }

    /** As the other, for a longer or shorter time. */
    HvProcess.Outcome exec(int seconds, String guest, List<String> words) throws Exception {
        List<String> line = new ArrayList<>(List.of("--timeout", seconds + "s", "exec"));
        line.addAll(options);
        line.addAll(List.of(guest, "--"));
        line.addAll(words);
        return hv.run(Duration.ofSeconds(seconds + 60L), line.toArray(String[]::new));
    }

    CompletableFuture<HvProcess.Outcome> inBackground(String guest, List<String> words) {
        return inBackground(60, guest, words);
    }

    CompletableFuture<HvProcess.Outcome> inBackground(int seconds, String guest, List<String> words) {
        List<String> copy = List.copyOf(words);
        return concurrently(() -> exec(seconds, guest, copy));
    }

    /** In a thread of its own: the common pool of a computer with two cores has one. */
    static <T> CompletableFuture<T> concurrently(Callable<T> call) {
        Supplier<T> unchecked = () -> {
            try {
                return call.call();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        };
        return CompletableFuture.supplyAsync(unchecked, Thread::startVirtualThread);
    }

    /** Runs the client of a server in guest a; both succeed, and nothing of the two is left in the HCA. */
    HvProcess.Outcome runClient(CompletableFuture<HvProcess.Outcome> serves, List<String> words) throws Exception {
        HvProcess.Outcome client = exec("a", words);
        HvProcess.Outcome served = serves.get(120, TimeUnit.SECONDS);
        assertThat(served.exit()).as("server %s, client %s", served, client).isZero();
        client.expect(0);
        assertThat(hv.run("rdma", "resource", "show", "qp").expect(0).out()).doesNotContain("RTS");
        return client;
    }

    /** As {@link #runClient}, of a server that listens by the connection manager, in which nothing of the two is left. */
    HvProcess.Outcome runConnecting(CompletableFuture<HvProcess.Outcome> serves, List<String> words) throws Exception {
        awaitConnectionManager(serves, true);
        HvProcess.Outcome client = runClient(serves, words);
        awaitConnectionManager(serves, false);
        return client;
    }

    /** Waits until somebody listens, or nobody has anything of it any more: the driver ends what programs left. */
    void awaitConnectionManager(CompletableFuture<HvProcess.Outcome> serves, boolean listens) throws Exception {
        Instant end = Instant.now().plus(Duration.ofSeconds(60));
        String seen;
        do {
            seen = hv.run("rdma", "resource", "show", "cm_id").expect(0).out();
            if (listens ? seen.contains("LISTEN") : seen.isBlank()) {
                return;
            }
        } while (Instant.now().isBefore(end) && !(listens && serves.isDone()));
        throw new AssertionError("connection manager has " + seen + (serves.isDone() ? serves.get() : ""));
    }

    /** Takes the machine down. */
    void close() throws Exception {
        hv.close();
    }
}
