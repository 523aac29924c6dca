package io.hyperverbs.lab.dsm.apps;

import io.hyperverbs.upper.dsm.Dsm;
import io.hyperverbs.upper.dsm.SharedLongs;
import io.hyperverbs.upper.dsm.node.NodeCounts;

/**
 * What nodes sent in the measured part of a run.
 *
 * @param messages to other nodes
 * @param bytes of minipages, copied or fetched
 */
public record AppTraffic(long messages, long bytes) {
    private static final int FIELDS = 2;
    static final AppTraffic NONE = new AppTraffic(0, 0);

    static AppTraffic between(NodeCounts before, NodeCounts after) {
        return new AppTraffic(
                after.messages() - before.messages(),
                after.copiedBytes() + after.fetchedBytes() - before.copiedBytes() - before.fetchedBytes());
    }

    /** The sum over all nodes, at node 0; each brings its own. Collective. */
    AppTraffic ofAll(Dsm dsm) {
        SharedLongs all = dsm.longs(FIELDS * dsm.nodes(), FIELDS);
        all.set(FIELDS * dsm.node(), messages);
        all.set(FIELDS * dsm.node() + 1, bytes);
        dsm.barrier();
        AppTraffic sum = NONE;
        for (int node = 0; dsm.node() == 0 && node < dsm.nodes(); node++) {
            sum = new AppTraffic(sum.messages + all.get(FIELDS * node), sum.bytes + all.get(FIELDS * node + 1));
        }
        return sum;
    }
}
