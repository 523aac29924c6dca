package io.hyperverbs.frontend.post;

import io.hyperverbs.verbs.ReceivePoster;
import io.hyperverbs.verbs.VerbsStatus;

/** Stands for the receive queue that a queue pair on a shared one has not. */
public final class RejectingReceivePoster implements ReceivePoster {
    private boolean refused;

    /** Why the last post was refused; empty if there was none. */
    public String explain() {
        return refused ? PostMistake.SHARED.words() : "";
    }

    @Override
    public ReceivePoster start() {
        return this;
    }

    @Override
    public ReceivePoster receive(long wrId) {
        return this;
    }

    @Override
    public ReceivePoster sge(int lkey, long address, int lengthBytes) {
        return this;
    }

    @Override
    public VerbsStatus post() {
        refused = true;
        return VerbsStatus.EINVAL;
    }
}
