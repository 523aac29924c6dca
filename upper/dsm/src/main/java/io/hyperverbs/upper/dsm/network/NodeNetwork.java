package io.hyperverbs.upper.dsm.network;

import io.hyperverbs.upper.dsm.protocol.ControlMessage;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A node's connections to all others, and its copy of the shared memory, which has the same layout at each. Not for
 * several threads at once, but for {@link #awaitEvent}, {@link #interrupt} and {@link #gone}.
 */
public interface NodeNetwork extends AutoCloseable {
    int node();

    int nodes();

    /** Name of a node in messages. */
    String name(int node);

    /** This node's copy of the shared memory. */
    MemorySegment memory();

    /** Sends a message to another node. */
    void send(int to, ControlMessage message);

    /** Copies bytes of this node's memory to the same place at another; they are there before what is sent later. */
    void write(int to, long offsetBytes, int lengthBytes);

    /** Copies bytes of another node's memory to the same place here, then gives {@link Arrivals#fetched} the token. */
    void read(int from, long offsetBytes, int lengthBytes, int token);

    /**
     * Takes what has arrived, without waiting.
     *
     * @return whether there was anything
     */
    boolean poll(Arrivals arrivals);

    /** Asks for an event when something arrives after this; what is there already must be polled once more. */
    void arm();

    /** Sleeps until an event, or {@link #interrupt}, or a timeout. */
    void awaitEvent(Duration timeout);

    /** Ends a sleep in {@link #awaitEvent} soon. */
    void interrupt();

    /** Who is gone, in words; null while all are there. */
    @Nullable
    String gone();

    /** From now on other nodes may end. */
    void expectEnd();

    @Override
    void close();

    /** What {@link #poll} finds. */
    interface Arrivals {
        void received(int from, ControlMessage message);

        /** A {@link #read} has ended. */
        void fetched(int token);
    }
}
