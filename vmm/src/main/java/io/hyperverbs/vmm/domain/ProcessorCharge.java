package io.hyperverbs.vmm.domain;

import io.hyperverbs.vmm.envelope.GuestGroup;
import io.hyperverbs.vmm.envelope.ProgramShares;
import io.hyperverbs.vmm.envelope.ServedTime;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Charges guests for the processor time that the device domain uses for them: ten times a second it
 * changes the weights of their groups (docs/adr/0035). One thread for all guests.
 */
final class ProcessorCharge {
    private static final long PERIOD_MILLIS = 100;
    private static final double NANOS_PER_SECOND = 1e9;

    /** USER_HZ of all processors that Linux runs on today. */
    private static final double TICKS_PER_SECOND = 100;

    private final Supplier<List<DomainRecord>> domains;
    private final ProgramShares shares;
    private final Map<Integer, Long> ticks = new HashMap<>();
    private @Nullable ServedTime served;
    private long servedPid;
    private long lookedNanos = System.nanoTime();

    private ProcessorCharge(Supplier<List<DomainRecord>> domains, int cores) {
        this.domains = domains;
        this.shares = new ProgramShares(cores);
    }

    /** Charges what {@code domains} says, until the VMM ends. */
    static void start(Supplier<List<DomainRecord>> domains) {
        int cores = Runtime.getRuntime().availableProcessors() - 1;
        ProcessorCharge charge = new ProcessorCharge(domains, cores);
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
        Map<Integer, Double> parts = shares.parts(uses);
        groups.forEach((id, group) -> group.keepPart(parts.getOrDefault(id, 1.0)));
    }

    private Map<Integer, Long> served(List<DomainRecord> all) {
        for (DomainRecord domain : all) {
            if (domain.kind() == DomainKind.BACKEND && domain.pid != 0) {
                ServedTime one = served;
                if (one == null || servedPid != domain.pid) {
                    servedPid = domain.pid;
                    one = new ServedTime(Path.of("/proc", Long.toString(servedPid), "task"));
                    served = one;
                }
                return one.takeNanos();
            }
        }
        return Map.of();
    }

    private static long ticks(long pid) {
        try {
            return ProcessStat.of(pid).ticks();
        } catch (IOException | RuntimeException ended) {
            return 0;
        }
    }
}
