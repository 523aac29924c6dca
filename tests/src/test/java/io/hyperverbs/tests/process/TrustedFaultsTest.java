package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperverbs.hca.layout.ContextMemoryLayout.Table;
import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.lab.ledger.Sources;
import io.hyperverbs.launcher.context.HcaView;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.tests.machine.FaultyDistribution;
import io.hyperverbs.tests.machine.TestMachine;
import io.hyperverbs.tests.programs.Churner;
import io.hyperverbs.vmm.domain.DomainKind;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.MachineException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Memory, descriptors, threads and disk run out at random in VMM and device domain, while guests
 * come, make objects, end and are killed; {@code -Dfaults=10000} for long.
 */
@RunsWhenChanged
class TrustedFaultsTest {
    private static final Path COPY = Path.of("target/faulty-dist").toAbsolutePath();
    private static final long FAULTS = Long.getLong("faults", 300);
    private static final int ONE_IN = 25;
    private static final int GUESTS = 3;
    private static final int ROUNDS = 60;

    /** A hang: of one guest that comes, works and goes. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** Threads of pools that come with work, and of what is compiled. */
    private static final List<String> ELASTIC =
            List.of("ForkJoinPool", "process reaper", "C1 Comp", "C2 Comp", "machine-call", "GC ");

    @TempDir
    private Path folder;

    /** What the trusted processes hold. */
    private record Holding(
            Map<Table, Integer> objects, Map<String, Integer> threads, Map<String, Integer> descriptors) {}

    @Test
    void nothingEndsAndNothingIsLeft() throws Exception {
        long seed = Sources.seed();
        FaultyDistribution faults =
                FaultyDistribution.make(TestMachine.DISTRIBUTION, COPY, folder.resolve("dice"), seed);
        try (TestMachine machine = new TestMachine(COPY);
                ExecutorService pool = Executors.newFixedThreadPool(GUESTS)) {
            List<Long> pids = trusted(machine);
            works(machine, "before");
            Holding before = holding(machine);
            faults.oneIn(ONE_IN);
            List<Future<Integer>> lives = new ArrayList<>();
            for (int slot = 0; slot < GUESTS; slot++) {
                int number = slot;
                lives.add(pool.submit(() -> live(machine, faults, number)));
            }
            int guests = 0;
            for (Future<Integer> life : lives) {
                guests += life.get();
            }
            faults.oneIn(0);

            assertThat(trusted(machine)).as("seed %d", seed).isEqualTo(pids);
            await().atMost(PATIENCE)
                    .until(() -> machine.client().status().domains().stream()
                            .allMatch(domain -> domain.kind() == DomainKind.BACKEND
                                    || domain.state().ended()));
            works(machine, "after");
            await("seed " + seed)
                    .atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(holding(machine)).isEqualTo(before));
            System.out.printf("%d faults, %d guests started, seed %d%n", faults.made(), guests, seed);
        }
    }

    /** Guests one after the other, of which some are killed; how many started. */
    private static int live(TestMachine machine, FaultyDistribution faults, int slot) throws Exception {
        int started = 0;
        String path = slot == 0 ? "forwarded" : "bypass";
        for (int i = 0; faults.made() < FAULTS; i++) {
            String name = "g" + slot + "-" + i;
            DomainReport guest = inTime(
                    () -> machine.add(TestMachine.guest(name, path), TestMachine.program(Churner.class, "" + ROUNDS)));
            if (guest == null) {
                continue;
            }
            started++;
            if (i % 3 == 2) {
                ProcessHandle.of(guest.pid()).ifPresent(ProcessHandle::destroyForcibly);
            }
            var _ = inTime(() -> machine.awaitEnd(name));
        }
        return started;
    }

    /** Null if it was refused; a hang is none. */
    private static DomainReport inTime(Callable<DomainReport> work) throws Exception {
        long begun = System.nanoTime();
        try {
            return work.call();
        } catch (HvException | MachineException refused) {
            return null;
        } finally {
            long took = System.nanoTime() - begun;
            assertThat(Duration.ofNanos(took)).isLessThan(PATIENCE);
        }
    }

    private static void works(TestMachine machine, String name) throws Exception {
        for (String path : List.of("bypass", "forwarded")) {
            String guest = name + "-" + path;
            var _ = machine.add(TestMachine.guest(guest, path), TestMachine.program(Churner.class, "10", "strict"));
            assertThat(machine.output(guest)).contains("10 rounds");
        }
    }

    private static List<Long> trusted(TestMachine machine) throws Exception {
        List<Long> pids = new ArrayList<>(List.of(machine.client().status().vmmPid()));
        machine.client().status().domains().stream()
                .filter(domain -> domain.kind() == DomainKind.BACKEND)
                .filter(domain -> !domain.state().ended())
                .forEach(domain -> pids.add(domain.pid()));
        assertThat(pids).hasSize(2);
        return pids;
    }

    /** Empty if it has ended since it was listed. */
    private static String name(Path task) throws IOException {
        try {
            return Files.readString(task.resolve("comm")).strip();
        } catch (NoSuchFileException ended) {
            return "";
        } catch (IOException e) {
            // Read while it ended: no such process.
            if (Files.exists(task)) {
                throw e;
            }
            return "";
        }
    }

    private static Holding holding(TestMachine machine) throws Exception {
        HcaView device = HcaView.read(machine.client());
        Map<Table, Integer> objects = new EnumMap<>(Table.class);
        for (Table table : Table.values()) {
            objects.put(table, device.entries(table).size());
        }
        Map<String, Integer> threads = new TreeMap<>();
        Map<String, Integer> descriptors = new TreeMap<>();
        for (long pid : trusted(machine)) {
            Path process = Path.of("/proc", Long.toString(pid));
            try (Stream<Path> tasks = Files.list(process.resolve("task"))) {
                for (Path task : tasks.toList()) {
                    String thread = name(task);
                    if (!thread.isEmpty() && ELASTIC.stream().noneMatch(thread::startsWith)) {
                        threads.merge(thread.replaceAll("[0-9]+", "N"), 1, Integer::sum);
                    }
                }
            }
            count(process.resolve("fd"), descriptors);
        }
        return new Holding(objects, threads, descriptors);
    }

    /** By what they are of; none where only root may look. */
    private static void count(Path folder, Map<String, Integer> descriptors) {
        try (Stream<Path> open = Files.list(folder)) {
            for (Path one : open.toList()) {
                descriptors.merge(what(one), 1, Integer::sum);
            }
        } catch (IOException denied) {
            assertThat(descriptors).isEmpty();
        }
    }

    private static String what(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().replaceAll("[0-9]+", "N");
        } catch (IOException closed) {
            return "closed";
        }
    }
}
