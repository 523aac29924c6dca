package io.hyperverbs.frontend.path;

import io.hyperverbs.hca.layout.SrqGeometry;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;

/** Takes filled slots of one shared receive queue to the HCA; for the thread that posts. */
public interface SrqPort {
    /** Publishes {@code count} filled slots. */
    VerbsStatus post(int count);

    /** Slots that may be filled. The path may ask the HCA when there seem to be none. */
    int free();

    /** A receive of the queue completed and was polled. Any thread that polls. */
    void completed();

    /** With XRC: its receives complete there, whoever takes them. */
    void completesIn(CompletionPort cq);

    /** The queue is gone. */
    void close();

    /**
     * Copies what is posted into {@code other}, has the HCA {@code move} there, and goes on there.
     *
     * @throws VerbsException what {@code move} throws; nothing is changed then
     */
    void resize(RingMemory other, SrqGeometry geometry, Move move) throws VerbsException;

    /** Has the HCA go on in other ring memory. */
    interface Move {
        void run() throws VerbsException;
    }
}
