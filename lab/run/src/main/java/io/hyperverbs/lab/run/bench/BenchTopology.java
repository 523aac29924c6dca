package io.hyperverbs.lab.run.bench;

import io.hyperverbs.lab.bench.BenchProgram;
import io.hyperverbs.launcher.topology.Guest;
import io.hyperverbs.launcher.topology.HcaSpec;
import io.hyperverbs.launcher.topology.Topology;
import io.hyperverbs.verbs.DataPathKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/** The machine that the benchmark runs in: two guests and two native domains, as far as needed. */
public final class BenchTopology {
    private BenchTopology() {}

    /** Runs {@link BenchProgram} in each domain. */
    public static Topology of(BenchPlan plan, String name) {
        String largest = Integer.toString(plan.largestBytes());
        return of(plan.machinePaths(), name, (peer, paths) -> {
            List<String> args = new ArrayList<>(List.of(peer, largest));
            paths.forEach(path -> args.add(path.name()));
            return new Guest.App(BenchProgram.class.getName(), args);
        });
    }

    /** @param program what a domain with that peer runs, which opens those data paths */
    public static Topology of(
            List<MeasuredPath> measured, String name, BiFunction<String, Set<DataPathKind>, Guest.App> program) {
        Map<String, TreeSet<DataPathKind>> opened = new LinkedHashMap<>();
        Map<String, String> peers = new LinkedHashMap<>();
        for (MeasuredPath path : measured) {
            opened.computeIfAbsent(path.active(), a -> new TreeSet<>()).add(path.dataPath());
            opened.computeIfAbsent(path.passive(), b -> new TreeSet<>()).add(path.dataPath());
            peers.put(path.active(), path.passive());
            peers.put(path.passive(), path.active());
        }
        List<Guest> guests = new ArrayList<>();
        opened.forEach((domain, paths) -> {
            Guest.App app = program.apply(peers.getOrDefault(domain, ""), paths);
            Guest guest = Guest.named(domain).running(app.main(), app.args().toArray(String[]::new));
            boolean isNative =
                    domain.equals(MeasuredPath.NATIVE.active()) || domain.equals(MeasuredPath.NATIVE.passive());
            guests.add(isNative ? guest.asNative() : guest.onPath(words(paths)));
        });
        return new Topology(name, HcaSpec.standard(), guests, List.of(), "hv bench");
    }

    /** All that it opens, which the topology has to allow. */
    private static String words(Set<DataPathKind> paths) {
        return paths.stream()
                .map(path -> path.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .collect(Collectors.joining(","));
    }
}
