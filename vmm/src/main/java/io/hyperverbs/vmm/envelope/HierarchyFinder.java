package io.hyperverbs.vmm.envelope;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds in which trees of groups this process may make some, below the group that it is in, so that
 * limits around it go on to hold (a container's, a service's). Version 2 first; a controller that
 * version 2 does not have is looked for among the trees of version 1. Changes nothing.
 */
final class HierarchyFinder {
    private static final Logger LOG = LoggerFactory.getLogger(HierarchyFinder.class);
    private static final Path PROC = Path.of("/proc/self");
    private static final String V1 = "cgroup";
    private static final String V2 = "cgroup2";

    private final GroupTree tree;
    private final Path proc;
    private final Map<Controller, String> missing = new EnumMap<>(Controller.class);

    HierarchyFinder() {
        this(new GroupTree(), PROC);
    }

    /**
     * @param proc holds {@code cgroup} and {@code mountinfo} of this process
     */
    HierarchyFinder(GroupTree tree, Path proc) {
        this.tree = tree;
        this.proc = proc;
    }

    /** One mounted tree: where it is, and which of its groups is mounted there. */
    private record Mount(String type, Path point, String root, List<String> options) {
        /**
         * Reads a line of mountinfo: {@code id parent dev root point options ... - type dev super}.
         */
        static Optional<Mount> parse(String line) {
            int end = line.indexOf(" - ");
            if (end < 0) {
                return Optional.empty();
            }
            String[] before = line.substring(0, end).split(" ");
            String[] after = line.substring(end + 3).split(" ");
            if (before.length < 6 || after.length < 3 || !after[0].startsWith(V1)) {
                return Optional.empty();
            }
            return Optional.of(new Mount(
                    after[0], Path.of(before[4].replace("\\040", " ")), before[3], List.of(after[2].split(","))));
        }

        /** The folder of a group; empty if it is not below what is mounted. */
        Optional<Path> folder(String group) {
            String below = root.equals("/") ? "" : root;
            if (!(group + "/").startsWith(below + "/") || group.contains("/../")) {
                return Optional.empty();
            }
            String rest = group.substring(below.length()).replaceFirst("^/+", "");
            return Optional.of(rest.isEmpty() ? point : point.resolve(rest));
        }
    }

    /** The trees that can be used; of each controller one at most. */
    List<Hierarchy> find() {
        List<Hierarchy> found = new ArrayList<>();
        Set<Controller> wanted = EnumSet.allOf(Controller.class);
        wanted.forEach(one -> missing.put(one, "the kernel has no groups for it"));
        try {
            List<Mount> mounts = tree.read(proc.resolve("mountinfo"))
                    .lines()
                    .flatMap(line -> Mount.parse(line).stream())
                    .toList();
            List<String> own = tree.read(proc.resolve("cgroup")).lines().toList();
            unified(mounts, own).ifPresent(one -> take(one, wanted, found));
            for (Mount mount : mounts) {
                if (mount.type().equals(V1)) {
                    legacy(mount, own, wanted).ifPresent(one -> take(one, wanted, found));
                }
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn("control groups are not used: {}", e.toString());
        }
        return found;
    }

    /** Why a controller that {@link #find} did not find cannot be had. */
    Map<Controller, String> missing() {
        return Map.copyOf(missing);
    }

    private void take(Hierarchy one, Set<Controller> wanted, List<Hierarchy> found) {
        Hierarchy useful = one.with(wanted);
        if (!useful.controllers().isEmpty()) {
            found.add(useful);
            wanted.removeAll(useful.controllers());
            missing.keySet().removeAll(useful.controllers());
        }
    }

    private Optional<Hierarchy> unified(List<Mount> mounts, List<String> own) throws IOException {
        Optional<String> group = own.stream()
                .filter(line -> line.startsWith("0::"))
                .map(line -> line.substring(3))
                .findFirst();
        for (Mount mount : mounts) {
            if (mount.type().equals(V2) && group.isPresent()) {
                Optional<Path> home = mount.folder(group.get());
                if (home.isPresent()) {
                    return new UnifiedPlace(tree, missing).find(mount.point(), home.get());
                }
            }
        }
        return Optional.empty();
    }

    /** The lines of {@code own} are {@code number:controllers:group}. */
    private Optional<Hierarchy> legacy(Mount mount, List<String> own, Set<Controller> wanted) {
        Set<Controller> here = EnumSet.noneOf(Controller.class);
        wanted.stream().filter(one -> mount.options().contains(one.word())).forEach(here::add);
        for (String line : own) {
            String[] parts = line.split(":", 3);
            boolean same = parts.length == 3
                    && here.stream()
                            .anyMatch(one -> List.of(parts[1].split(",")).contains(one.word()));
            Optional<Path> home = same ? mount.folder(parts[2]) : Optional.empty();
            if (home.isPresent()) {
                if (tree.isWritable(home.get())) {
                    return Optional.of(new Hierarchy(1, home.get(), home.get(), here));
                }
                here.forEach(one -> missing.put(one, home.get() + " is not writable by this user"));
            }
        }
        return Optional.empty();
    }
}
