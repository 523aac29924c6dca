package io.hyperverbs.backend;

import io.hyperverbs.backend.capture.Captures;
import io.hyperverbs.hca.Hca;
import io.hyperverbs.hca.HcaCommands.Outcome;
import io.hyperverbs.hca.link.LinkSettings;
import io.hyperverbs.verbs.VerbsStatus;

/**
 * What the operator changes of a running HCA: its ports, and the links to its neighbours. Any thread.
 *
 * @param wire where links lead to
 * @param captures what passes it, shown
 */
record OperatorCommands(Hca hca, WireSettings wire, Captures captures) {
    /** Takes a port, from 1, up or down. EINVAL: no such port. */
    Outcome setPort(int port, boolean up) {
        VerbsStatus status = hca.setPort(port, up);
        return new Outcome(status, status == VerbsStatus.SUCCESS ? "" : "port " + port);
    }

    /**
     * Sets what happens to packets from a neighbour, on all ports.
     *
     * @param neighbour name of its HCA
     * @param settings as {@link LinkSettings#text}: all that holds from now on
     * @return ENOENT: no link to it; EINVAL: settings that are none; else what the HCA says
     */
    Outcome setLink(String neighbour, String settings) {
        WireSettings.Neighbour there = wire.neighbours().get(neighbour);
        if (there == null) {
            return new Outcome(VerbsStatus.ENOENT, "no link to " + neighbour);
        }
        try {
            return wire.impair(hca, there, LinkSettings.of(settings));
        } catch (IllegalArgumentException e) {
            return new Outcome(VerbsStatus.EINVAL, String.valueOf(e.getMessage()));
        }
    }
}
