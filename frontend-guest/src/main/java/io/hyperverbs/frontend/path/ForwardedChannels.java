package io.hyperverbs.frontend.path;

import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.VerbsException;

/** Where a forwarded data path runs: the device channel of a guest. Any thread. */
public interface ForwardedChannels {
    /**
     * The channel of that kind, opened at the first call and shared by all contexts of the session.
     *
     * @throws VerbsException EIO if it has failed
     */
    ForwardedChannel channel(DataPathKind kind) throws VerbsException;
}
