package io.hyperverbs.verbs;

/** Builds receive requests straight in the ring; as {@link SendPoster}, for the receive queue. */
public interface ReceivePoster {
    /** Begins a batch and forgets an unfinished one. */
    ReceivePoster start();

    ReceivePoster receive(long wrId);

    /** Adds an SGE to the request begun last. */
    ReceivePoster sge(int lkey, long address, int lengthBytes);

    /**
     * Publishes the batch.
     *
     * @return SUCCESS; ENOMEM if the queue has not room for all; EINVAL in RESET or with too many
     *     SGEs
     */
    VerbsStatus post();
}
