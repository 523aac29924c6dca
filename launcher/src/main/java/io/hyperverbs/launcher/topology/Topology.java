package io.hyperverbs.launcher.topology;

import java.util.List;

/**
 * A machine with one HCA and the domains that share it.
 *
 * @param checks what must hold
 * @param warnings what in the file has no effect in this version, one line each
 * @param source text of the file, or the name of a built-in topology
 */
public record Topology(
        String name,
        HcaSpec hca,
        List<Guest> guests,
        List<TopologyCheck> checks,
        List<String> warnings,
        String source) {
    /** Names that no topology domain may have: they are the machine's own. */
    public static final List<String> RESERVED_NAMES = List.of("tool", "vmm", "backend");

    public Topology {
        guests = List.copyOf(guests);
        checks = List.copyOf(checks);
        warnings = List.copyOf(warnings);
    }

    /** One that has nothing to check. */
    public Topology(String name, HcaSpec hca, List<Guest> guests, List<String> warnings, String source) {
        this(name, hca, guests, List.of(), warnings, source);
    }
}
