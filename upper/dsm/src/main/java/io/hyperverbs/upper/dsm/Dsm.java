package io.hyperverbs.upper.dsm;

import io.hyperverbs.upper.dsm.error.DsmException;
import io.hyperverbs.upper.dsm.link.VerbsNetwork;
import io.hyperverbs.upper.dsm.network.NodeNetwork;
import io.hyperverbs.upper.dsm.node.ArrayPlace;
import io.hyperverbs.upper.dsm.node.DsmNode;
import io.hyperverbs.upper.dsm.node.NodeCounts;
import io.hyperverbs.upper.dsm.options.DsmOptions;
import io.hyperverbs.upper.job.JobPlace;
import io.hyperverbs.verbs.Domain;

/**
 * One node of a distributed shared memory (Liss 2003 §4): arrays that all nodes of a job read and write as if they had
 * one memory, sequentially consistent. All nodes call what is said to be collective, in the same order. One thread for
 * each node, that which joins.
 *
 * <pre>{@code
 * try (Dsm dsm = Dsm.join()) {
 *     SharedLongs sum = dsm.longs(1, 1);
 *     dsm.lock(0);
 *     sum.set(0, sum.get(0) + dsm.node());
 *     dsm.unlock(0);
 *     dsm.barrier();
 *     System.out.println(sum.get(0));
 * }
 * }</pre>
 */
public final class Dsm implements AutoCloseable {
    private static final int ELEMENT_BYTES = Long.BYTES;
    private static final int MOST_PER_MINIPAGE = 1 << 16;

    private final DsmNode node;

    private Dsm(DsmNode node) {
        this.node = node;
    }

    /** As {@link #join(DsmOptions)}, as most programs want it. */
    public static Dsm join() {
        return join(DsmOptions.standard());
    }

    /**
     * Connects to the other nodes of the job; a program that no job started is a job of one node. Collective.
     *
     * @throws DsmException if a node does not come, or there is no room
     */
    public static Dsm join(DsmOptions options) {
        return of(VerbsNetwork.connect(JobPlace.current(), Domain.current(), options), options);
    }

    static Dsm of(NodeNetwork network, DsmOptions options) {
        return new Dsm(new DsmNode(network, options));
    }

    /** This node's number, from 0. */
    public int node() {
        return node.node();
    }

    public int nodes() {
        return node.nodes();
    }

    /**
     * A new array of zeros. Collective.
     *
     * @param length in elements
     * @param perMinipage how many of them go from node to node together, a power of two up to 65 536; the nodes are home
     *     to equal parts, the first node to the first
     * @throws DsmException if there is no room, or another node made another call
     */
    public SharedDoubles doubles(int length, int perMinipage) {
        return new SharedDoubles(elements(length, perMinipage));
    }

    /** As {@link #doubles}. */
    public SharedLongs longs(int length, int perMinipage) {
        return new SharedLongs(elements(length, perMinipage));
    }

    private SharedElements elements(int length, int perMinipage) {
        if (length < 1 || Integer.bitCount(perMinipage) != 1 || perMinipage > MOST_PER_MINIPAGE || perMinipage < 1) {
            throw new IllegalArgumentException("an array of " + length + " elements, " + perMinipage
                    + " per minipage: at least 1, and a power of two up to " + MOST_PER_MINIPAGE);
        }
        ArrayPlace place = node.add((long) length * ELEMENT_BYTES, perMinipage * ELEMENT_BYTES);
        return new SharedElements(node, place, length, perMinipage);
    }

    /** Waits until all nodes have come here. Collective. */
    public void barrier() {
        node.barrier();
    }

    /**
     * Waits until no other node holds the lock; those that wait are served in the order in which they came.
     *
     * @param number any, at least 0
     */
    public void lock(int number) {
        node.lock(number);
    }

    /** Gives the lock to who waits for it. */
    public void unlock(int number) {
        node.unlock(number);
    }

    /** What this node did until now: faults, messages, bytes. */
    public NodeCounts counts() {
        return node.counts();
    }

    /** Waits for all nodes and leaves. Collective. */
    @Override
    public void close() {
        node.close();
    }
}
