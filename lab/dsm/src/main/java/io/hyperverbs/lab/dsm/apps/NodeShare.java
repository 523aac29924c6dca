package io.hyperverbs.lab.dsm.apps;

import io.hyperverbs.upper.dsm.Dsm;

/**
 * The items of one node, of items that are divided equally in their order; the last nodes may have fewer, or none. In
 * an array with room for {@code room} items, each in minipages of its own, a node is home to exactly its items.
 *
 * @param room the same number of items for each node
 * @param first of this node
 * @param end of this node, exclusive
 */
public record NodeShare(int room, int first, int end) {
    /** @param items of all nodes together */
    public static NodeShare of(Dsm dsm, int items) {
        int each = Math.ceilDiv(items, dsm.nodes());
        int first = Math.min(items, each * dsm.node());
        return new NodeShare(each * dsm.nodes(), first, Math.min(items, first + each));
    }

    /** Items of this node. */
    public int count() {
        return end - first;
    }
}
