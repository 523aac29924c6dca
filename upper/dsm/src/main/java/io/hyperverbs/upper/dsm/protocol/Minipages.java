package io.hyperverbs.upper.dsm.protocol;

import java.util.Arrays;

/**
 * Where each minipage lies and which node is its home. All nodes have the same table, as they make the same arrays in
 * the same order. One thread changes it, not beside the handler.
 */
public final class Minipages {
    private final int nodes;
    private long[] offsets = new long[0];
    private int[] lengths = new int[0];
    private int[] homes = new int[0];
    private int count;

    public Minipages(int nodes) {
        this.nodes = nodes;
    }

    /**
     * Adds the minipages of one array, the nodes being home to equal parts of it.
     *
     * @param offsetBytes of the array in the shared memory
     * @param arrayBytes its length
     * @param minipageBytes of each but the last, which may be shorter
     * @return the number of the first
     */
    int add(long offsetBytes, long arrayBytes, int minipageBytes) {
        int added = Math.toIntExact(Math.ceilDiv(arrayBytes, (long) minipageBytes));
        int first = count;
        reserve(count + added);
        for (int i = 0; i < added; i++) {
            long from = (long) i * minipageBytes;
            offsets[count] = offsetBytes + from;
            lengths[count] = (int) Math.min(minipageBytes, arrayBytes - from);
            homes[count] = (int) ((long) i * nodes / added);
            count++;
        }
        return first;
    }

    private void reserve(int most) {
        if (most > offsets.length) {
            int room = Math.max(most, 2 * offsets.length);
            offsets = Arrays.copyOf(offsets, room);
            lengths = Arrays.copyOf(lengths, room);
            homes = Arrays.copyOf(homes, room);
        }
    }

    int nodes() {
        return nodes;
    }

    public int count() {
        return count;
    }

    /** In the shared memory, in bytes. */
    public long offset(int minipage) {
        return offsets[minipage];
    }

    /** In bytes. */
    public int length(int minipage) {
        return lengths[minipage];
    }

    public int home(int minipage) {
        return homes[minipage];
    }
}
