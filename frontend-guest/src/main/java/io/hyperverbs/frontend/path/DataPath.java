package io.hyperverbs.frontend.path;

import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** The data path of one context. Any thread. */
public interface DataPath extends AutoCloseable {
    DataPathKind kind();

    /**
     * First stage of creating a queue (Liu 2006 §4.3): memory for its rings, zeroed.
     *
     * @throws VerbsException ENOMEM without RAM; what the backend says to the registration
     */
    RingMemory takeRing(long lengthBytes) throws VerbsException;

    /** Second stage of a completion queue: connects what the backend created. */
    CompletionPort attach(CreatedCq cq);

    /** Second stage of a queue pair. */
    QpPort attach(CreatedQp qp);

    /** Second stage of a shared receive queue. */
    SrqPort attach(SrqEnds srq);

    /** The context's page that the HCA posts events into, if it has one. */
    default Optional<MemorySegment> eventPage() {
        return Optional.empty();
    }

    /** Gives the context's pages back; its queues are gone. */
    @Override
    void close();
}
