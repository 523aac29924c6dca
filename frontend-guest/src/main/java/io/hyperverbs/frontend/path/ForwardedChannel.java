package io.hyperverbs.frontend.path;

import io.hyperverbs.verbs.VerbsStatus;

/** Carries entries to the backend and completions back. Any thread. */
public interface ForwardedChannel {
    /** Longest run of entries in one message; the channel's limit is 64 KiB. */
    int MAX_ENTRY_BYTES = 48 << 10;

    /** Completions of {@code cq} go to {@code sink} from now on. */
    void listen(long cq, CompletionSink sink);

    void forget(long cq);

    /**
     * Posts entries.
     *
     * @param entries {@code count} strides, at most {@link #MAX_ENTRY_BYTES}; not changed any more
     */
    VerbsStatus postSend(long qp, int count, byte[] entries);

    VerbsStatus postReceive(long qp, int count, byte[] entries);

    VerbsStatus postSharedReceive(long srq, int count, byte[] entries);

    /** All completions before that index were taken. */
    void consumed(long cq, int consumerIndex);

    VerbsStatus arm(long cq, boolean solicitedOnly, int consumerIndex);

    /** Whether completions come by themselves; else {@link #poll} asks for them. */
    boolean pushes();

    /** Asks for completions from that index on, and waits for the answer. */
    void poll(long cq, int consumerIndex, int max);
}
