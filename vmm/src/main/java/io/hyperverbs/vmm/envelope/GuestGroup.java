package io.hyperverbs.vmm.envelope;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The groups of one guest, one in each tree. Callable from any thread. */
public final class GuestGroup implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GuestGroup.class);
    private static final long MIB = 1L << 20;

    /** A difference that nobody notices is not written. */
    private static final double SMALL = 0.03;

    private static final String SHELL = "/bin/sh";

    /** Enters groups, then becomes the command, so that nothing of it ever ran outside. */
    private static final String SCRIPT = """
        n=$1; shift
        while [ "$n" -gt 0 ]; do
            echo $$ > "$1" || exit 125
            shift; n=$((n - 1))
        done
        exec "$@"
        """;

    private final GroupTree tree;
    private final GroupSettings settings;
    private final Map<Hierarchy, Path> groups;
    private final GuestLimits limits;
    private double part = 1;

    GuestGroup(GroupTree tree, Map<Hierarchy, Path> groups, GuestLimits limits) {
        this.tree = tree;
        this.settings = new GroupSettings(tree);
        this.groups = Map.copyOf(groups);
        this.limits = limits;
    }

    /**
     * A command that runs {@code command} in the groups. If they cannot be entered it ends with 125
     * and a line that says why.
     */
    public List<String> enter(List<String> command) {
        if (groups.isEmpty()) {
            return command;
        }
        List<String> words = new ArrayList<>(List.of(SHELL, "-c", SCRIPT, "groups"));
        words.add(Integer.toString(groups.size()));
        groups.values()
                .forEach(group -> words.add(group.resolve(GroupTree.MEMBERS).toString()));
        words.addAll(command);
        return words;
    }

    /** Keeps all its processes to {@code cores}, as the kernel numbers them; false: it cannot. */
    public boolean keepTo(BitSet cores) {
        for (Map.Entry<Hierarchy, Path> one : groups.entrySet()) {
            if (one.getKey().has(Controller.CPUSET)) {
                try {
                    settings.setCores(one.getValue(), cores);
                    return true;
                } catch (IOException e) {
                    LOG.warn("{} has all cores: {}", one.getValue().getFileName(), e.toString());
                }
            }
        }
        return false;
    }

    /** Its share of processor time beside other guests. */
    public int weight() {
        return limits.weight();
    }

    /**
     * Leaves its processes a part of their share of processor time; what cannot be changed stays.
     *
     * @param kept more than 0; 1: all of it
     */
    public synchronized void keepPart(double kept) {
        if (Math.abs(kept - part) < SMALL && (kept < 1 || part == 1)) {
            return;
        }
        part = kept;
        for (Map.Entry<Hierarchy, Path> one : groups.entrySet()) {
            try {
                settings.weigh(one.getKey(), one.getValue(), limits.weight() * kept);
            } catch (IOException ended) {
                LOG.debug("{} keeps its weight", one.getValue().getFileName(), ended);
            }
        }
    }

    /** Which limit the kernel has ended it for, in words; empty if for none. */
    public String excess() {
        for (Map.Entry<Hierarchy, Path> one : groups.entrySet()) {
            try {
                if (one.getKey().has(Controller.MEMORY) && settings.memoryKills(one.getKey(), one.getValue()) > 0) {
                    return "took more than its " + limits.memoryBytes() / MIB + " MiB of memory beside its RAM";
                }
            } catch (IOException | NumberFormatException e) {
                LOG.warn("{}: {}", one.getValue().getFileName(), e.toString());
            }
        }
        return "";
    }

    /** Ends what still runs in it, and removes it. */
    @Override
    public void close() {
        groups.values().forEach(group -> new GroupRemoval(tree).remove(group));
    }
}
