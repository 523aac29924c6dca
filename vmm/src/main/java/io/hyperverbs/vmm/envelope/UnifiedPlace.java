package io.hyperverbs.vmm.envelope;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where in the tree of version 2 a machine's group can be. The kernel hands controllers on only by
 * groups without processes of their own (cgroup-v2, "no internal processes"; its root is free of
 * that), and moves a process only for who may write to the common ancestor of both groups.
 */
final class UnifiedPlace {
    static final String AVAILABLE = "cgroup.controllers";
    static final String HANDED_ON = "cgroup.subtree_control";

    /** All groups but the root have one. */
    private static final String TYPE = "cgroup.type";

    private static final int MAX_PASSES = 16;

    private final GroupTree tree;
    private final Map<Controller, String> missing;

    /**
     * @param missing gets the reason for a controller that is not found
     */
    UnifiedPlace(GroupTree tree, Map<Controller, String> missing) {
        this.tree = tree;
        this.missing = missing;
    }

    /**
     * The own group if that is possible, else the nearest one around it.
     *
     * @param top the mount point
     * @param home the own group
     */
    Optional<Hierarchy> find(Path top, Path home) throws IOException {
        String why = "";
        for (Path group = home; group != null && group.startsWith(top); group = group.getParent()) {
            String obstacle = obstacle(group, home);
            if (obstacle.isEmpty()) {
                Set<Controller> controllers = controllers(group.resolve(AVAILABLE));
                if (!controllers.isEmpty()) {
                    return Optional.of(new Hierarchy(2, group, home, controllers));
                }
                obstacle = group + " has none of the controllers";
            }
            why = why.isEmpty() ? obstacle : why;
        }
        for (Controller one : controllers(top.resolve(AVAILABLE))) {
            missing.put(one, why);
        }
        return Optional.empty();
    }

    /** Why no groups can be made in a group, or empty. */
    private String obstacle(Path group, Path home) throws IOException {
        for (String file : List.of("", GroupTree.MEMBERS, HANDED_ON)) {
            if (!tree.isWritable(file.isEmpty() ? group : group.resolve(file))) {
                return group + " is not writable by this user";
            }
        }
        if (isRoot(group)) {
            return "";
        }
        if (!tree.read(group.resolve(TYPE)).equals("domain")) {
            return group + " holds threads, not processes";
        }
        List<Long> members = tree.members(group);
        if (members.isEmpty() || (group.equals(home) && callers().containsAll(members))) {
            return "";
        }
        return group + " has processes of others";
    }

    private boolean isRoot(Path group) {
        return !tree.has(group.resolve(TYPE));
    }

    private Set<Controller> controllers(Path list) throws IOException {
        Set<Controller> here = EnumSet.noneOf(Controller.class);
        if (tree.has(list)) {
            List<String> words = List.of(tree.read(list).split("\\s+"));
            Stream.of(Controller.values())
                    .filter(one -> words.contains(one.word()))
                    .forEach(here::add);
        }
        return here;
    }

    /** This process, and those that wait for it: its parent, that one's, and so on. */
    private static Set<Long> callers() {
        return Stream.iterate(
                        Optional.of(ProcessHandle.current()),
                        Optional::isPresent,
                        one -> one.flatMap(ProcessHandle::parent))
                .flatMap(Optional::stream)
                .map(ProcessHandle::pid)
                .collect(Collectors.toSet());
    }

    /**
     * Clears the way for groups in {@code hierarchy.parent()}: its processes go into a group of
     * their own, and its controllers are handed on.
     *
     * @return what is handed on now
     */
    Hierarchy prepare(Hierarchy hierarchy, Path callers) throws IOException {
        Path parent = hierarchy.parent();
        if (!isRoot(parent) && !tree.members(parent).isEmpty()) {
            if (!tree.has(callers)) {
                tree.make(callers);
            }
            moveAll(parent, callers);
        }
        handOn(parent, hierarchy.controllers());
        return hierarchy.with(controllers(parent.resolve(HANDED_ON)));
    }

    /** What ends or is started meanwhile is met, or found gone, in the next pass. */
    private void moveAll(Path from, Path to) throws IOException {
        IOException failure = null;
        for (int pass = 0; pass < MAX_PASSES; pass++) {
            List<Long> members = tree.members(from);
            if (members.isEmpty()) {
                return;
            }
            for (long pid : members) {
                try {
                    tree.move(pid, to);
                } catch (IOException e) {
                    failure = e;
                }
            }
        }
        throw failure == null ? new IOException(from + " gets new processes") : failure;
    }

    /** Hands controllers on one by one: a parent may have lost one meanwhile. */
    void handOn(Path group, Set<Controller> controllers) throws IOException {
        Set<Controller> already = controllers(group.resolve(HANDED_ON));
        IOException failure = null;
        for (Controller one : controllers) {
            try {
                if (!already.contains(one)) {
                    tree.write(group.resolve(HANDED_ON), "+" + one.word());
                }
            } catch (IOException e) {
                failure = e;
            }
        }
        if (failure != null && controllers(group.resolve(HANDED_ON)).isEmpty()) {
            throw failure;
        }
    }
}
