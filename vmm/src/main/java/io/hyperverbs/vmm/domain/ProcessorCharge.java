package io.hyperverbs.vmm.domain;

import io.hyperverbs.vmm.cores.EngineCores;
import io.hyperverbs.vmm.envelope.GuestGroup;
import io.hyperverbs.vmm.envelope.ProgramShares;
import io.hyperverbs.vmm.envelope.ServedTime;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Charges guests for the processor time that device domains use for them: ten times a second it
 * changes the weights of their groups (docs/adr/0035). One thread for all guests.
 */
final class ProcessorCharge {
    private static final long PERIOD_MILLIS = 100;
    private static final double NANOS_PER_SECOND = 1e9;

    /** USER_HZ of all processors that Linux runs on today. */
    private static final double TICKS_PER_SECOND = 100;

    private final Supplier<List<DomainRecord>> domains;
    private final ProgramShares shares = new ProgramShares();
    private final Map<Integer, Long> ticks = new HashMap<>();
    /** Of each device domain, by its process. */
    private final Map<Long, ServedTime> served = new HashMap<>();

    private long lookedNanos = System.nanoTime();

    private ProcessorCharge(Supplier<List<DomainRecord>> domains) {
        this.domains = domains;
    }

    /** Charges what {@code domains} says, until the VMM ends. */
    static void start(Supplier<List<DomainRecord>> domains) {
        ProcessorCharge charge = new ProcessorCharge(domains);
        PeriodicLook.start("processor-charge", PERIOD_MILLIS, () -> charge.look(System.nanoTime()));
    }

    private void look(long nowNanos) {
        double seconds = (nowNanos - lookedNanos) / NANOS_PER_SECOND;
        lookedNanos = nowNanos;
        List<DomainRecord> all = domains.get();
        Map<Integer, Long> nanos = served(all);
        Map<Integer, GuestGroup> groups = new HashMap<>();
        Map<Integer, ProgramShares.Use> uses = new HashMap<>();
        for (DomainRecord domain : all) {
            GuestGroup group = domain.group;
            long pid = domain.pid;
            if (group == null || pid == 0) {
                continue;
            }
            long now = ticks(pid);
            Long before = ticks.put(domain.id(), now);
            double own = before == null ? 0 : Math.max(0, now - before) / TICKS_PER_SECOND;
            double forIt = nanos.getOrDefault(domain.id(), 0L) / NANOS_PER_SECOND;
            groups.put(domain.id(), group);
            uses.put(domain.id(), new ProgramShares.Use(group.weight(), forIt / seconds, own / seconds));
        }
        ticks.keySet().retainAll(groups.keySet());
        Map<Integer, Double> parts = shares.parts(programCores(all), uses);
        groups.forEach((id, group) -> group.keepPart(parts.getOrDefault(id, 1.0)));
    }

    /** Cores that programs share, the engines' left out. */
    private static int programCores(List<DomainRecord> all) {
        int cores = Runtime.getRuntime().availableProcessors();
        int engines = 1;
        for (DomainRecord domain : all) {
            if (domain.kind() == DomainKind.BACKEND) {
                engines = Math.max(
                        engines, EngineCores.of(domain.spec().settings()).coresFor(cores));
            }
        }
        return cores - engines;
    }

    private Map<Integer, Long> served(List<DomainRecord> all) {
        Map<Integer, Long> nanos = new HashMap<>();
        Set<Long> seen = new HashSet<>();
        for (DomainRecord domain : all) {
            long pid = domain.pid;
            if (domain.kind() == DomainKind.BACKEND && pid != 0) {
                seen.add(pid);
                served.computeIfAbsent(pid, any -> new ServedTime(Path.of("/proc", Long.toString(pid), "task")))
                        .takeNanos()
                        .forEach((guest, more) -> nanos.merge(guest, more, Long::sum));
            }
        }
        served.keySet().retainAll(seen);
        return nanos;
    }

    private static long ticks(long pid) {
        try {
            return ProcessStat.of(pid).ticks();
        } catch (IOException | RuntimeException ended) {
            return 0;
        }
    }
}
