package io.hyperverbs.vmm.envelope;

import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.stream.Collectors;

/**
 * Limits as the two versions of the kernel's interface want them (Documentation/admin-guide/
 * cgroup-v2.rst, cgroup-v1/memory.rst).
 */
final class GroupSettings {
    /** Weights of version 2 are 1 to 10000, so that a guest's may be 1 to 1000. */
    private static final int UNIT_WEIGHT = 10;

    private static final int MAX_WEIGHT = 10_000;

    /** Version 1 has 1024 where version 2 has 100. */
    private static final int UNIT_SHARES = 102;

    private static final int MIN_SHARES = 2;
    private static final int MAX_SHARES = 262_144;

    private final GroupTree tree;

    GroupSettings(GroupTree tree) {
        this.tree = tree;
    }

    /** Version 1 lets nobody into a group of cores before it has some. */
    void inheritCores(Hierarchy in, Path group, Path parent) throws IOException {
        if (in.version() == 1 && in.has(Controller.CPUSET)) {
            for (String what : new String[] {"cpuset.cpus", "cpuset.mems"}) {
                tree.write(group.resolve(what), tree.read(parent.resolve(what)));
            }
        }
    }

    void limit(Hierarchy in, Path group, GuestLimits limits) throws IOException {
        if (in.has(Controller.MEMORY)) {
            limitMemory(in, group, Long.toString(limits.memoryBytes()));
        }
        if (in.has(Controller.PIDS)) {
            tree.write(group.resolve("pids.max"), Integer.toString(limits.processes()));
        }
        weigh(in, group, limits.weight());
    }

    private void limitMemory(Hierarchy in, Path group, String bytes) throws IOException {
        if (in.version() == 2) {
            tree.write(group.resolve("memory.max"), bytes);
            writeIfThere(group.resolve("memory.swap.max"), "0");
            writeIfThere(group.resolve("memory.oom.group"), "1");
        } else {
            tree.write(group.resolve("memory.limit_in_bytes"), bytes);
            // Memory and swap together; not there where swap is not counted.
            writeIfThere(group.resolve("memory.memsw.limit_in_bytes"), bytes);
        }
    }

    private void writeIfThere(Path file, String value) throws IOException {
        if (tree.has(file)) {
            tree.write(file, value);
        }
    }

    /** A share of processor time beside the groups of the same parent. */
    void weigh(Hierarchy in, Path group, double weight) throws IOException {
        if (in.has(Controller.CPU)) {
            boolean v2 = in.version() == 2;
            long value = Math.round(weight * (v2 ? UNIT_WEIGHT : UNIT_SHARES));
            tree.write(
                    group.resolve(v2 ? "cpu.weight" : "cpu.shares"),
                    Long.toString(v2 ? Math.clamp(value, 1, MAX_WEIGHT) : Math.clamp(value, MIN_SHARES, MAX_SHARES)));
        }
    }

    void setCores(Path group, BitSet cores) throws IOException {
        tree.write(
                group.resolve("cpuset.cpus"),
                cores.stream().mapToObj(Integer::toString).collect(Collectors.joining(",")));
    }

    /** How often the kernel has ended a process of the group for want of memory below its limit. */
    long memoryKills(Hierarchy in, Path group) throws IOException {
        Path file = group.resolve(in.version() == 2 ? "memory.events" : "memory.oom_control");
        return tree.read(file)
                .lines()
                .filter(line -> line.startsWith("oom_kill "))
                .mapToLong(line -> Long.parseLong(line.substring(9).strip()))
                .sum();
    }
}
