package io.hyperverbs.vmm.envelope;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The groups of one machine:
 *
 * <pre>
 *   the VMM's own group               whatever limits it, limits the machine
 *    +-- hyperverbs-NAME-PID          one for each machine
 *         +-- trusted                 VMM and device domain; more processor time than any guest
 *         +-- guest-NAME.ID           one for each guest
 * </pre>
 *
 * in each tree that the computer has; in none of them, where it lets us make no groups. Processes
 * that the VMM starts begin in {@code trusted}, guests leave it before anything of theirs runs.
 */
public final class MachineEnvelope implements AutoCloseable {
    /** How much more processor time trusted processes get than a guest. */
    private static final int TRUSTED_TIMES = 10;

    private static final Logger LOG = LoggerFactory.getLogger(MachineEnvelope.class);

    private final GroupTree tree;
    private final GroupSettings settings;
    private final Map<Hierarchy, Path> machine = new LinkedHashMap<>();
    private int trustedWeight;

    MachineEnvelope(GroupTree tree) {
        this.tree = tree;
        this.settings = new GroupSettings(tree);
    }

    /** Leaves the computer's groups alone. */
    public static MachineEnvelope none() {
        return new MachineEnvelope(new GroupTree());
    }

    /**
     * Makes a machine's groups and moves this process into the trusted one. What cannot be made is
     * left out, and logged.
     *
     * @param name of the machine
     * @param state its folder, where a note of the groups stays for who cleans up after a crash
     */
    public static MachineEnvelope open(String name, Path state) throws IOException {
        GroupTree tree = new GroupTree();
        MachineEnvelope envelope = new MachineEnvelope(tree);
        envelope.open(
                new HierarchyFinder().find(), name, ProcessHandle.current().pid(), state);
        return envelope;
    }

    void open(List<Hierarchy> hierarchies, String name, long pid, Path state) throws IOException {
        String group = LeftGroups.PREFIX + name + "-" + pid;
        List<Path> planned =
                hierarchies.stream().map(one -> one.parent().resolve(group)).toList();
        // Noted first: a clean-up that finds the note and no group has nothing to do.
        LeftGroups.note(state, planned);
        for (Hierarchy one : hierarchies) {
            Path path = one.parent().resolve(group);
            try {
                Hierarchy usable = make(one, path);
                tree.move(pid, path.resolve("trusted"));
                machine.put(usable, path);
            } catch (IOException e) {
                LOG.warn("no groups in {}: {}", one.parent(), e.toString());
                new GroupRemoval(tree).remove(path);
            }
        }
        weighTrusted(1);
    }

    private Hierarchy make(Hierarchy found, Path path) throws IOException {
        Hierarchy usable = found;
        if (found.version() == 2) {
            UnifiedPlace place = new UnifiedPlace(tree, new LinkedHashMap<>());
            usable = place.prepare(found, found.parent().resolve(LeftGroups.PREFIX + "callers"));
            tree.make(path);
            place.handOn(path, usable.controllers());
        } else {
            tree.make(path);
            settings.inheritCores(found, path, found.parent());
        }
        Path trusted = path.resolve("trusted");
        tree.make(trusted);
        settings.inheritCores(usable, trusted, path);
        return usable;
    }

    /** Which version of the kernel's interface serves each controller that is there. */
    public GroupsFound found() {
        return GroupsFound.of(machine.keySet());
    }

    /**
     * Makes a guest's groups.
     *
     * @param id that no other guest of this machine has had
     * @throws IOException and nothing of them is left
     */
    public GuestGroup guest(String name, int id, GuestLimits limits) throws IOException {
        weighTrusted(limits.weight());
        Map<Hierarchy, Path> made = new LinkedHashMap<>();
        try {
            for (Map.Entry<Hierarchy, Path> one : machine.entrySet()) {
                Path group = one.getValue().resolve("guest-" + name + "." + id);
                tree.make(group);
                made.put(one.getKey(), group);
                settings.inheritCores(one.getKey(), group, one.getValue());
                settings.limit(one.getKey(), group, limits);
            }
        } catch (IOException e) {
            made.values().forEach(group -> new GroupRemoval(tree).remove(group));
            throw e;
        }
        return new GuestGroup(tree, made, limits);
    }

    /** Trusted processes serve guests of all weights. */
    private synchronized void weighTrusted(int guest) throws IOException {
        if (guest <= trustedWeight) {
            return;
        }
        trustedWeight = guest;
        for (Map.Entry<Hierarchy, Path> one : machine.entrySet()) {
            settings.weigh(one.getKey(), one.getValue().resolve("trusted"), TRUSTED_TIMES * guest);
        }
    }

    /** Takes this process back to where it was, and removes all groups with what runs in them. */
    @Override
    public void close() {
        List<Path> groups = new ArrayList<>(machine.values());
        machine.keySet().forEach(this::leave);
        groups.forEach(group -> new GroupRemoval(tree).remove(group));
    }

    private void leave(Hierarchy hierarchy) {
        long pid = ProcessHandle.current().pid();
        try {
            tree.move(pid, hierarchy.home());
        } catch (IOException inner) {
            try {
                // It has groups now, so the kernel takes no process into it.
                tree.move(pid, hierarchy.parent().resolve(LeftGroups.PREFIX + "callers"));
            } catch (IOException e) {
                LOG.warn("cannot leave the groups in {}: {}", hierarchy.parent(), e.toString());
            }
        }
    }
}
