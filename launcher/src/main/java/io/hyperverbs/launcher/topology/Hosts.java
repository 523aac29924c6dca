package io.hyperverbs.launcher.topology;

import java.util.List;

/**
 * The computers of a topology.
 *
 * @param all in the order of the file; empty for a topology on the computer that starts it
 * @param elsewhere HCAs on other hosts, of a topology's part on one host
 */
public record Hosts(List<HostSpec> all, List<HcaSpec> elsewhere) {
    private static final Hosts NONE = new Hosts(List.of(), List.of());

    public Hosts {
        all = List.copyOf(all);
        elsewhere = List.copyOf(elsewhere);
    }

    public static Hosts none() {
        return NONE;
    }
}
