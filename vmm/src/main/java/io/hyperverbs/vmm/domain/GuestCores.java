package io.hyperverbs.vmm.domain;

import io.hyperverbs.vmm.cores.EngineCores;
import io.hyperverbs.vmm.envelope.GuestGroup;
import io.hyperverbs.vmm.posix.ThreadAffinity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a guest's process off the cores of engines: by its group of cores where there is
 * one, else thread by thread, and the filter of system calls keeps the guest from undoing that.
 * Done when the guest's driver is ready and before its program runs: until then the process starts
 * on all cores, and runs nothing of the guest's.
 */
final class GuestCores {
    private static final Logger LOG = LoggerFactory.getLogger(GuestCores.class);

    /** A thread that starts meanwhile inherits the cores of the one that starts it. */
    private static final int MAX_PASSES = 16;

    private GuestCores() {}

    static void confine(DomainRecord domain) {
        EngineCores engines = EngineCores.of(domain.spec().settings());
        if (domain.kind() != DomainKind.GUEST || engines.engines() == 0) {
            return;
        }
        try {
            BitSet allowed = ThreadAffinity.get();
            GuestGroup group = domain.group;
            if (engines.coresFor(allowed.cardinality()) > 0) {
                BitSet cores = engines.programCores(allowed);
                if (group == null || !group.keepTo(cores)) {
                    place(Path.of("/proc", Long.toString(domain.pid), "task"), cores);
                }
            }
        } catch (IOException e) {
            LOG.warn("{} may run on the engines' cores: {}", domain.name(), e.getMessage());
        }
    }

    /** Places all threads; {@code tasks} lists them. */
    static void place(Path tasks, BitSet cores) throws IOException {
        Set<Integer> placed = new HashSet<>();
        for (int pass = 0; pass < MAX_PASSES; pass++) {
            List<Integer> fresh = threads(tasks).stream().filter(placed::add).toList();
            if (fresh.isEmpty()) {
                return;
            }
            for (int thread : fresh) {
                if (Files.exists(tasks.resolve(Integer.toString(thread)))) {
                    ThreadAffinity.set(thread, cores);
                }
            }
        }
    }

    private static List<Integer> threads(Path tasks) throws IOException {
        try (Stream<Path> all = Files.list(tasks)) {
            return all.map(one -> Integer.parseInt(one.getFileName().toString()))
                    .toList();
        }
    }
}
