package io.hyperverbs.lab.run.mpi;

import io.hyperverbs.launcher.topology.Guest;
import io.hyperverbs.launcher.topology.HcaSpec;
import io.hyperverbs.launcher.topology.Topology;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Domains that jobs run in.
 *
 * @param each how many there are on each path
 */
public record JobDomains(int each) {
    private static final long MEMORY_BYTES = 128L << 20;

    /**
     * All of them on one HCA.
     *
     * @param origin the command that asks for it
     */
    public Topology topology(String name, String origin) {
        List<Guest> domains = MpiPlan.PATHS.stream()
                .flatMap(path -> on(path).stream()
                        .map(domain -> Guest.named(domain).withMemory(MEMORY_BYTES))
                        .map(domain -> path.equals(MpiPlan.NATIVE) ? domain.asNative() : domain.onPath(path)))
                .toList();
        return new Topology(name, HcaSpec.standard(), domains, List.of(), origin);
    }

    /** Those of a path. */
    public List<String> on(String path) {
        return IntStream.rangeClosed(1, each)
                .mapToObj(number -> path + "-" + number)
                .toList();
    }
}
