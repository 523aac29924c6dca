package io.hyperverbs.frontend.path;

import io.hyperverbs.verbs.VerbsStatus;

/**
 * Takes filled slots of one queue pair to the HCA. Each queue is for one thread at a time, the two
 * are independent.
 */
public interface QpPort {
    /** Publishes {@code count} filled send slots with one doorbell. */
    VerbsStatus postSend(int count);

    /** Publishes {@code count} filled receive slots. */
    VerbsStatus postReceive(int count);

    /** The queue pair is gone. */
    void close();
}
