package io.hyperverbs.vmm.hypercall;

import io.hyperverbs.verbs.VerbsStatus;

/** The VMM refused a hypercall, or is gone (EIO). */
public final class HypercallException extends Exception {
    private static final long serialVersionUID = 1L;

    private final VerbsStatus status;

    public HypercallException(VerbsStatus status, String message) {
        super(status + ": " + message);
        this.status = status;
    }

    public VerbsStatus status() {
        return status;
    }
}
