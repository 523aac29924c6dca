package io.hyperverbs.tests.process;

import io.hyperverbs.hca.layout.ContextMemoryLayout.Table;
import io.hyperverbs.launcher.context.HcaView;
import io.hyperverbs.tests.machine.TestMachine;
import io.hyperverbs.tests.programs.KilledProgram;
import io.hyperverbs.tests.programs.KilledProgram.Point;
import io.hyperverbs.tests.programs.Survivor;
import io.hyperverbs.vmm.domain.DomainKind;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.DomainState;
import io.hyperverbs.vmm.domain.MachineException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Kills guests with -9 at points drawn from a seed, one after the other, and notes what is not as
 * it was: the objects on the HCA, descriptors of VMM and device domain where they may be counted,
 * and what the survivor says of its own bytes. The next victim starts while one is killed.
 */
final class KillRounds {
    /** The survivor's name. */
    static final String SURVIVOR = "s";

    /** Of the end of one guest; how long it takes is judged by the caller. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** How long after it is ready a victim may live. */
    private static final long MAX_DELAY_NANOS = 20_000_000;

    private final TestMachine machine;
    private final SplittableRandom dice;
    private final List<String> findings = new ArrayList<>();
    private final List<Long> cleanNanos = new ArrayList<>();

    KillRounds(TestMachine machine, long seed) {
        this.machine = machine;
        this.dice = new SplittableRandom(seed);
    }

    /** What is not as it must be; empty if all is well. */
    List<String> findings() {
        return findings;
    }

    /**
     * From the signal until the VMM has taken the domain off, its frames free, in order of length.
     * The HCA is looked at then, and not waited for.
     */
    List<Long> cleanMillis() {
        return cleanNanos.stream().sorted().map(nanos -> nanos / 1_000_000).toList();
    }

    /** Kills so many; the survivor has ended well afterwards, or that is a finding. */
    void run(int kills) throws Exception {
        List<Point> all = List.of(Point.values());
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < kills; i++) {
            points.add(all.get(dice.nextInt(all.size())));
        }
        DomainReport _ = machine.add(
                TestMachine.guest(SURVIVOR, "bypass"),
                TestMachine.program(
                        Survivor.class, points.stream().map(Point::name).toArray(String[]::new)));
        String _ = machine.awaitKey("domain/s/up");
        Map<Table, Integer> objects = objects();
        long descriptors = descriptors();
        try (ExecutorService starter = Executors.newSingleThreadExecutor()) {
            Future<DomainReport> next = starter.submit(() -> start(1, points));
            for (int round = 1; round <= kills; round++) {
                DomainReport victim = next.get();
                int following = round + 1;
                if (!kill(round, victim, points.get(round - 1))) {
                    // Its memory stays reserved, and its peer waits for the end of its copies.
                    return;
                }
                if (following <= kills) {
                    next = starter.submit(() -> start(following, points));
                }
            }
        }
        machine.client().storeWrite("domain/tool/over", "yes");
        expect(machine.awaitEnd(SURVIVOR).exitCode() == 0, "survivor: " + machine.console("s"));
        Map<Table, Integer> left = objects();
        objects.forEach((table, count) ->
                expect(left.get(table) <= count, table + ": " + left.get(table) + " of " + count + " before"));
        // The survivor's own are gone now; one for each victim would be more than those.
        long open = descriptors();
        expect(open <= descriptors, open + " descriptors open, " + descriptors + " before");
    }

    private DomainReport start(int round, List<Point> points) throws Exception {
        return machine.add(
                TestMachine.guest("v" + round, "bypass"),
                TestMachine.program(
                        KilledProgram.class, SURVIVOR, points.get(round - 1).name()));
    }

    /** False if the device domain did not let go of the guest. */
    private boolean kill(int round, DomainReport victim, Point point) throws Exception {
        String name = victim.name();
        String _ = machine.awaitKey(point == Point.RDMA ? "domain/s/busy-" + round : "domain/" + name + "/ready");
        LockSupport.parkNanos(dice.nextLong(MAX_DELAY_NANOS));
        long killed = System.nanoTime();
        expect(ProcessHandle.of(victim.pid()).orElseThrow().destroyForcibly(), name + " lives");
        DomainReport ended = awaitEnd(name);
        cleanNanos.add(System.nanoTime() - killed);
        machine.client().storeWrite("domain/tool/dead-" + round, "yes");
        expect(ended.state() == DomainState.CRASHED, name + " is " + ended.state() + ": " + ended.message());
        HcaView.Share share = HcaView.read(machine.client()).shareOf(ended.id());
        expect(
                share.equals(new HcaView.Share(0, 0, 0, 0)),
                name + " killed in " + point + ": the HCA still holds " + share);
        if (ended.state() == DomainState.DYING) {
            return false;
        }
        String survivor = machine.awaitKey("domain/s/result-" + round);
        expect(survivor.endsWith("well"), name + " killed in " + point + ": " + survivor);
        return true;
    }

    private Map<Table, Integer> objects() throws Exception {
        HcaView device = HcaView.read(machine.client());
        Map<Table, Integer> counts = new EnumMap<>(Table.class);
        for (Table table : Table.values()) {
            counts.put(table, device.entries(table).size());
        }
        return counts;
    }

    /** Of VMM and device domain; 0 where only root may count them. */
    private long descriptors() throws Exception {
        List<Long> pids = new ArrayList<>(List.of(machine.client().status().vmmPid()));
        machine.client().status().domains().stream()
                .filter(domain -> domain.kind() == DomainKind.BACKEND)
                .forEach(domain -> pids.add(domain.pid()));
        long count = 0;
        for (long pid : pids) {
            try (Stream<Path> open = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
                count += open.count();
            } catch (IOException denied) {
                return 0;
            }
        }
        return count;
    }

    /** As it is once it has ended, or when the device domain does not let go of it. */
    private DomainReport awaitEnd(String name) throws Exception {
        try {
            return machine.client().awaitDomain(name, EnumSet.of(DomainState.SHUT_DOWN, DomainState.CRASHED), PATIENCE);
        } catch (MachineException late) {
            return machine.client().status().domains().stream()
                    .filter(domain -> domain.name().equals(name))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private void expect(boolean holds, String otherwise) {
        if (!holds) {
            findings.add(otherwise);
        }
    }
}
