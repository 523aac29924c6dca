package io.hyperverbs.tests.fuzz;

import io.hyperverbs.lab.run.LabPrograms;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.failure.Problem;
import io.hyperverbs.launcher.topology.Guest;
import io.hyperverbs.launcher.topology.HcaSpec;
import io.hyperverbs.launcher.topology.Topology;
import io.hyperverbs.launcher.topology.TopologyLoader;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Topology files: what is wrong is refused with a place and words, what is taken can be started and
 * promises no more than the HCA has.
 */
final class TopologyTarget implements FuzzTarget {
    private static final int MOST_LINES = 1 << 16;

    @Override
    public void play(Input input) {
        String text = input.restAsText();
        Topology topology;
        try {
            topology = TopologyLoader.parse("t.yaml", text, new LabPrograms());
        } catch (HvException e) {
            refused(e);
            return;
        }
        taken(topology);
        try {
            if (!TopologyLoader.parse("t.yaml", text, new LabPrograms()).equals(topology)) {
                throw new AssertionError("read twice, two topologies");
            }
        } catch (HvException e) {
            throw new AssertionError("taken once, then refused", e);
        }
    }

    private static void refused(HvException e) {
        require(e.exit() == ExitCode.INVALID_TOPOLOGY, "exit " + e.exit());
        require(!e.problems().isEmpty(), "no problem named");
        for (Problem problem : e.problems()) {
            String words = problem.text();
            require(words.startsWith("t.yaml") && !words.contains("Exception"), words);
            require(words.length() < MOST_LINES, "a problem of " + words.length() + " characters");
        }
    }

    private static void taken(Topology topology) {
        Set<String> names = new HashSet<>(Topology.RESERVED_NAMES);
        Set<Integer> lids = new HashSet<>();
        for (HcaSpec hca : topology.hcas()) {
            require(topology.hcas().size() == 1 || names.add(hca.name()), "name " + hca.name());
            require(!hca.settings().isEmpty() && hca.ports().count() >= 1, "HCA");
            require(lids.add(hca.ports().firstLid()), "LID " + hca.ports().firstLid());
            promises(hca, topology);
        }
        for (Guest guest : topology.guests()) {
            require(names.add(guest.name()), "name " + guest.name());
            taken(guest);
        }
    }

    private static void taken(Guest guest) {
        require(guest.name().matches("[A-Za-z0-9_.-]{1,64}"), "name " + guest.name());
        require(guest.memoryBytes() >= 1 << 20 && guest.memoryBytes() <= 1L << 40, "memory " + guest.memoryBytes());
        require(guest.weight() >= 1, "weight " + guest.weight());
        require(
                List.of("bypass", "forwarded", "forwarded-unary")
                        .containsAll(List.of(guest.path().split(","))),
                guest.path());
        require(guest.allQuotas().maxObjects() >= 0, "quotas overflow");
    }

    private static void promises(HcaSpec hca, Topology topology) {
        HcaSpec.Limits limits = hca.limits();
        Map<String, Integer> most =
                Map.of("qp", limits.maxQp(), "cq", limits.maxCq(), "mr", limits.maxMr(), "pd", limits.maxPd());
        most.forEach((key, limit) -> {
            long sum = topology.guests().stream()
                    .filter(guest -> topology.hcaOf(guest).equals(hca))
                    .mapToLong(guest -> guest.quota().getOrDefault(key, 0L))
                    .sum();
            require(sum <= limit, "more is promised than there is");
        });
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
