package io.hyperverbs.vmm.domain;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Ends guests that fill the computer's disk or take its threads, where no file system of limited
 * size and no user namespace keeps them from it. Looks twice a second, on one thread for all.
 */
final class GuestWatch {
    /** What all files of a guest may hold together. */
    static final long MAX_BYTES = 64L << 20;

    private static final long MAX_THREADS = 1024;
    private static final int MAX_ENTRIES = 4096;
    private static final int MAX_DEPTH = 32;
    private static final long PERIOD_MILLIS = 500;
    private static final Logger LOG = LoggerFactory.getLogger(GuestWatch.class);

    private final Supplier<List<Domain>> domains;

    private GuestWatch(Supplier<List<Domain>> domains) {
        this.domains = domains;
    }

    /** Watches what {@code domains} says, until the VMM ends. */
    static void start(Supplier<List<Domain>> domains) {
        GuestWatch watch = new GuestWatch(domains);
        Thread.ofPlatform().daemon().name("guest-watch").start(watch::run);
    }

    private void run() {
        try {
            while (true) {
                Thread.sleep(PERIOD_MILLIS);
                domains.get().forEach(GuestWatch::look);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void look(Domain domain) {
        DomainProcess process = domain.process;
        if (domain.kind() != DomainKind.GUEST || process == null || !domain.message.isEmpty()) {
            return;
        }
        String threads = excessOfThreads(Path.of("/proc", Long.toString(process.pid()), "status"));
        String excess = threads == null ? excess(domain.folder().out()) : threads;
        if (excess != null) {
            domain.message = DomainReport.ENDED_BY_VMM + excess;
            LOG.warn("{}: {}", domain.name(), excess);
            process.kill();
        }
    }

    /** Without namespaces the process that was started is the guest's JVM. */
    static @Nullable String excessOfThreads(Path status) {
        try (Stream<String> lines = Files.lines(status)) {
            long threads =
                    lines.filter(line -> line.startsWith("Threads:"))
                            .mapToLong(line -> Long.parseLong(line.substring(8).strip()))
                            .sum();
            return threads > MAX_THREADS ? "more than " + MAX_THREADS + " threads" : null;
        } catch (IOException | UncheckedIOException e) {
            // It has ended.
            return null;
        }
    }

    /** What of a folder is too much, or null. */
    static @Nullable String excess(Path folder) {
        Sum sum = new Sum();
        try {
            Files.walkFileTree(folder, Set.of(), MAX_DEPTH, sum);
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException e) {
            return "its folder cannot be read";
        }
        if (sum.entries > MAX_ENTRIES) {
            return "more than " + MAX_ENTRIES + " files";
        }
        return sum.bytes > MAX_BYTES ? "more than " + MAX_BYTES + " bytes of files" : null;
    }

    private static final class Sum extends SimpleFileVisitor<Path> {
        private long bytes;
        private int entries;

        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return count(attributes);
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            return count(attributes);
        }

        private FileVisitResult count(BasicFileAttributes attributes) {
            bytes += attributes.size();
            return ++entries > MAX_ENTRIES ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
            if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                throw failure;
            }
            return FileVisitResult.CONTINUE;
        }
    }
}
