package io.hyperverbs.upper.dsm.protocol;

import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** What the home knows of one minipage. */
final class PageEntry {
    /** A node that wants a copy. */
    record PageRequest(int node, boolean isWrite) {}

    /** Who has the copy that others are made from. */
    int owner;

    /** The owner may write; nobody else has a copy. */
    boolean isExclusive = true;

    /** A bit for each node that has a copy, the owner among them. */
    long holders;

    /** What is served now; until its access is done, the others wait. */
    @Nullable
    PageRequest current;

    final Queue<PageRequest> waiting = new ArrayDeque<>();

    /** Holders that have not dropped their copies yet. */
    int invalidationsLeft;

    PageEntry(int home) {
        owner = home;
        holders = bit(home);
    }

    static long bit(int node) {
        return 1L << node;
    }

    boolean holds(int node) {
        return (holders & bit(node)) != 0;
    }
}
