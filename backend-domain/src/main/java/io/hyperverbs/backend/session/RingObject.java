package io.hyperverbs.backend.session;

import io.hyperverbs.vmm.io.FrameRun;

/** Ring memory that a domain registered for a queue to come; pinned as ring while it lives. */
public final class RingObject extends SessionObject {
    private final ContextObject context;
    private final FrameRun run;

    public RingObject(ContextObject context, FrameRun run) {
        this.context = context;
        this.run = run;
    }

    public ContextObject context() {
        return context;
    }

    public FrameRun run() {
        return run;
    }
}
