package io.hyperverbs.vmm.posix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * How much memory the control group of this process and those above it leave to it, in either
 * version: a container may have far less than its computer.
 */
final class GroupMemory {
    /** No group sets a limit. */
    static final long UNLIMITED = Long.MAX_VALUE;

    private static final String V1_CONTROLLER = "memory";

    /** Version 1 writes a huge number where there is no limit. */
    private static final long V1_NONE = 1L << 60;

    private final Path groups;
    private final Path groupsV1;

    /**
     * @param groups where groups of version 2 are mounted
     * @param groupsV1 where the memory controller of version 1 is
     */
    GroupMemory(Path groups, Path groupsV1) {
        this.groups = groups;
        this.groupsV1 = groupsV1;
    }

    static GroupMemory ofComputer() {
        return new GroupMemory(Path.of("/sys/fs/cgroup"), Path.of("/sys/fs/cgroup/memory"));
    }

    /**
     * Bytes that the tightest of the groups has left, caches counted as left; {@link #UNLIMITED} if
     * none has a limit that can be read.
     *
     * @param own text of {@code /proc/self/cgroup}
     */
    long leftBytes(String own) {
        long left = UNLIMITED;
        for (String line : own.lines().toList()) {
            // hierarchy-ID:controllers:path
            String[] parts = line.split(":", 3);
            if (parts.length == 3 && parts[1].isEmpty()) {
                left = Math.min(left, tightest(groups, parts[2], Names.V2));
            } else if (parts.length == 3 && List.of(parts[1].split(",")).contains(V1_CONTROLLER)) {
                left = Math.min(left, tightest(groupsV1, parts[2], Names.V1));
            }
        }
        return left;
    }

    /** What the two versions call the same. */
    private enum Names {
        V2("memory.max", "memory.current", "inactive_file"),
        V1("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file");

        final String limit;
        final String usage;
        final String cache;

        Names(String limit, String usage, String cache) {
            this.limit = limit;
            this.usage = usage;
            this.cache = cache;
        }
    }

    private static long tightest(Path mount, String path, Names names) {
        Path group = mount.resolve(path.replaceFirst("^/", "")).normalize();
        long left = left(mount, names);
        while (group != null && group.startsWith(mount) && !group.equals(mount)) {
            left = Math.min(left, left(group, names));
            group = group.getParent();
        }
        return left;
    }

    private static long left(Path group, Names names) {
        try {
            String limit = Files.readString(group.resolve(names.limit)).strip();
            if (limit.equals("max") || Long.parseLong(limit) >= V1_NONE) {
                return UNLIMITED;
            }
            long used =
                    Long.parseLong(Files.readString(group.resolve(names.usage)).strip());
            return Math.max(0, Long.parseLong(limit) - used + cache(group, names));
        } catch (IOException | NumberFormatException e) {
            // Not there, as in the root group, or not for us to read.
            return UNLIMITED;
        }
    }

    private static long cache(Path group, Names names) throws IOException {
        return Files.readString(group.resolve("memory.stat"))
                .lines()
                .filter(line -> line.startsWith(names.cache + " "))
                .mapToLong(line ->
                        Long.parseLong(line.substring(names.cache.length() + 1).strip()))
                .findFirst()
                .orElse(0);
    }
}
