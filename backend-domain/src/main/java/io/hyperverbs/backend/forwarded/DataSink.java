package io.hyperverbs.backend.forwarded;

import java.util.List;

/** The way back to a domain: its stream. Called on the pump's thread. */
public interface DataSink {
    /** Whether it takes more now; when it does again, {@link ForwardedContext#wake} is called. */
    boolean isReady();

    void completions(List<CompletionBatch> batches);

    /** Nothing comes any more: the domain learns that, and may open another stream. */
    void failed();
}
