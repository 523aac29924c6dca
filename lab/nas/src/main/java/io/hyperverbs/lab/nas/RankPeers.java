package io.hyperverbs.lab.nas;

/**
 * What a kernel asks of the other ranks. All ranks call the same methods in the same order; each returns when this
 * rank's part is done. Ends with {@link LostPeers} when another rank cannot be reached.
 */
public interface RankPeers {
    /** @return from 0 to size - 1 */
    int rank();

    int size();

    /** Adds up over the ranks, element by element; all get the sums in place. */
    void sum(double[] values);

    /** As for doubles. */
    void sum(int[] values);

    /**
     * @param mine of the same length in all ranks
     * @param all gets the parts of all ranks, in their order
     */
    void allGather(double[] mine, double[] all);

    /**
     * @param send one block for each rank, in their order, all of one length
     * @param receive gets a block from each rank
     */
    void allToAll(double[] send, double[] receive);

    /**
     * @param send one block for each rank, in their order
     * @param counts lengths of these blocks
     * @return the blocks from all ranks, in their order
     */
    int[] allToAllv(int[] send, int[] counts);

    /** Sends to one rank, and receives as much from another. */
    void shift(double[] send, int to, double[] receive, int from);

    /** @return the sum over the ranks */
    default double sum(double value) {
        double[] one = {value};
        sum(one);
        return one[0];
    }
}
