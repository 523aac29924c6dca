package io.hyperverbs.vmm.domain;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends guests that take the computer's threads, where the kernel does not count them for each
 * guest: without a user namespace, and in one that root made without another user. Looks twice a
 * second, on one thread for all.
 */
final class GuestWatch {
    private static final long MAX_THREADS = 1024;
    private static final long PERIOD_MILLIS = 500;
    private static final Logger LOG = LoggerFactory.getLogger(GuestWatch.class);

    private GuestWatch() {}

    /** Watches what {@code domains} says, until the VMM ends. */
    static void start(Supplier<List<DomainRecord>> domains) {
        PeriodicLook.start("guest-watch", PERIOD_MILLIS, () -> domains.get().forEach(GuestWatch::lookConfined));
    }

    /** One that cannot be looked at must not end the watch over the others. */
    private static void lookConfined(DomainRecord domain) {
        try {
            look(domain);
        } catch (RuntimeException | Error e) {
            LOG.warn("{}: cannot be looked at", domain.name(), e);
        }
    }

    private static void look(DomainRecord domain) {
        DomainProcess process = domain.process;
        if (domain.kind() != DomainKind.GUEST || process == null || !domain.message.isEmpty()) {
            return;
        }
        // Its JVM, by the number that the kernel gave with its connection; none before that.
        String excess = excessOfThreads(Path.of("/proc", Long.toString(domain.pid), "status"));
        if (excess != null) {
            domain.message = DomainReport.ENDED_BY_VMM + excess;
            LOG.warn("{}: {}", domain.name(), excess);
            process.kill();
        }
    }

    /** What of a process is too much, by its status in /proc, or null. */
    static @Nullable String excessOfThreads(Path status) {
        try (Stream<String> lines = Files.lines(status)) {
            long threads = lines.filter(line -> line.startsWith("Threads:"))
                    .mapToLong(line -> Long.parseLong(line.substring(8).strip()))
                    .sum();
            return threads > MAX_THREADS ? "more than " + MAX_THREADS + " threads" : null;
        } catch (IOException | UncheckedIOException e) {
            // It has ended.
            return null;
        }
    }
}
