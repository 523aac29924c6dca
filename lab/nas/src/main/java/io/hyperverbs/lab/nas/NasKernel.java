package io.hyperverbs.lab.nas;

/** One kernel in one class: its mathematics, over as many ranks as it is given. */
public interface NasKernel {
    int iterations();

    /** @return operations of the timed part, as NPB counts them for its Mop/s */
    double operations();

    /** @return why these ranks cannot share the work, in one line; empty when they can */
    String refusal(int ranks);

    /** @return what the arrays of one rank take */
    long heapBytes(int ranks);

    /** Works with the other ranks; they all have the same checks then. */
    NasResult run(RankPeers peers);
}
