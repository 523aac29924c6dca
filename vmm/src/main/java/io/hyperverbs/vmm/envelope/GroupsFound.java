package io.hyperverbs.vmm.envelope;

import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Which controllers can be had, and by which version of the kernel's interface.
 *
 * @param versions 1 or 2, for each that can be had
 */
public record GroupsFound(Map<Controller, Integer> versions) {
    public GroupsFound {
        versions = Map.copyOf(versions);
    }

    /** All controllers, by this version. */
    public static GroupsFound all(int version) {
        Map<Controller, Integer> versions = new EnumMap<>(Controller.class);
        List.of(Controller.values()).forEach(one -> versions.put(one, version));
        return new GroupsFound(versions);
    }

    /** None at all. */
    public static GroupsFound none() {
        return new GroupsFound(Map.of());
    }

    /**
     * What a look at this computer found.
     *
     * @param missing why a controller cannot be had
     */
    public record Search(GroupsFound found, Map<Controller, String> missing) {}

    /** Looks which groups could be made by this process; changes nothing. */
    public static Search search() {
        HierarchyFinder finder = new HierarchyFinder();
        GroupsFound found = of(finder.find());
        return new Search(found, finder.missing());
    }

    static GroupsFound of(Collection<Hierarchy> hierarchies) {
        Map<Controller, Integer> versions = new EnumMap<>(Controller.class);
        hierarchies.forEach(one -> one.controllers().forEach(each -> versions.put(each, one.version())));
        return new GroupsFound(versions);
    }

    public boolean has(Controller controller) {
        return versions.containsKey(controller);
    }

    /** Such as {@code cgroup v1}; empty if there are none of {@code wanted}. */
    public Optional<String> by(Controller... wanted) {
        TreeSet<String> words = List.of(wanted).stream()
                .filter(versions::containsKey)
                .map(one -> "cgroup v" + versions.get(one))
                .collect(Collectors.toCollection(TreeSet::new));
        return words.isEmpty() ? Optional.empty() : Optional.of(String.join(" and ", words));
    }

    /** For a line between processes, such as {@code memory=1 cpu=1}. */
    public String format() {
        return List.of(Controller.values()).stream()
                .filter(versions::containsKey)
                .map(one -> one.word() + "=" + versions.get(one))
                .collect(Collectors.joining(" "));
    }

    /** Reads what {@link #format} wrote; other words are passed over. */
    public static GroupsFound parse(String line) {
        Map<Controller, Integer> versions = new EnumMap<>(Controller.class);
        for (String word : line.split(" ", -1)) {
            for (Controller one : Controller.values()) {
                for (int version = 1; version <= 2; version++) {
                    if (word.equals(one.word() + "=" + version)) {
                        versions.put(one, version);
                    }
                }
            }
        }
        return new GroupsFound(versions);
    }
}
