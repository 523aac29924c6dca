package io.hyperverbs.vmm.domain;

import io.hyperverbs.verbs.VerbsStatus;

/** The VMM refused or failed to do what the toolstack asked. */
public final class MachineException extends Exception {
    private static final long serialVersionUID = 1L;

    private final VerbsStatus status;
    private final String message;

    public MachineException(VerbsStatus status, String message) {
        this.message = message;
        this.status = status;
    }

    @Override
    public String getMessage() {
        return message;
    }

    /**
     * EBUSY: name taken, or backend there already. ENOENT: no such domain. EINVAL: bad request.
     * ENOMEM: no memory. ETIMEDOUT: not in time. EIO: VMM or domain failed.
     */
    public VerbsStatus status() {
        return status;
    }
}
