package io.hyperverbs.frontend.path;

import java.nio.ByteBuffer;

/** Takes completions that came over a forwarded channel, on the channel's thread. */
public interface CompletionSink {
    /**
     * @param firstIndex index of the first entry, modulo 2^32
     * @param entries bytes of CQEs, valid during the call
     */
    void completions(int firstIndex, ByteBuffer entries);
}
