package io.hyperverbs.vmm.domain;

import io.hyperverbs.vmm.envelope.GuestGroup;
import io.hyperverbs.vmm.envelope.ProgramShares;
import io.hyperverbs.vmm.envelope.ServedTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Charges guests for the processor time that the device domain uses for them: ten times a second it
 * changes the weights of their groups (docs/adr/0035). One thread for all guests.
 */
final class ProcessorCharge {
    private static final long PERIOD_MILLIS = 100;
    private static final double NANOS_PER_SECOND = 1e9;

    /** USER_HZ of all processors that Linux runs on today. */
    private static final double TICKS_PER_SECOND = 100;

    /** Fields of /proc/PID/stat behind the name in parentheses: time in user and in kernel mode. */
    private static final int USER_TIME = 11;

    private static final int KERNEL_TIME = 12;

    private static final Logger LOG = LoggerFactory.getLogger(ProcessorCharge.class);

    private final Supplier<List<Domain>> domains;
    private final ProgramShares shares;
    private final Map<Integer, Long> ticks = new HashMap<>();
    private @Nullable ServedTime served;
    private long servedPid;
    private long lookedNanos;

    private ProcessorCharge(Supplier<List<Domain>> domains, int cores) {
        this.domains = domains;
        this.shares = new ProgramShares(cores);
    }

    /** Charges what {@code domains} says, until the VMM ends. */
    static void start(Supplier<List<Domain>> domains) {
        int cores = Runtime.getRuntime().availableProcessors() - 1;
        ProcessorCharge charge = new ProcessorCharge(domains, cores);
        Thread.ofPlatform().daemon().name("processor-charge").start(charge::run);
    }

    private void run() {
        try {
            lookedNanos = System.nanoTime();
            while (true) {
                Thread.sleep(PERIOD_MILLIS);
                try {
                    look(System.nanoTime());
                } catch (RuntimeException | Error e) {
                    LOG.warn("guests are not charged", e);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look(long nowNanos) {
        double seconds = (nowNanos - lookedNanos) / NANOS_PER_SECOND;
        lookedNanos = nowNanos;
        List<Domain> all = domains.get();
        Map<Integer, Long> nanos = served(all);
        Map<Integer, GuestGroup> groups = new HashMap<>();
        Map<Integer, ProgramShares.Use> uses = new HashMap<>();
        for (Domain domain : all) {
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

    private Map<Integer, Long> served(List<Domain> all) {
        for (Domain domain : all) {
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
            return ticks(Files.readString(Path.of("/proc", Long.toString(pid), "stat")));
        } catch (IOException | RuntimeException ended) {
            return 0;
        }
    }

    /** Processor time of a process by its line in /proc/PID/stat, in ticks. */
    static long ticks(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[KERNEL_TIME]);
    }
}
