package io.hyperverbs.backend.session;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.HypercallException;

/** A verb is not done and changed nothing; the words go to the domain that asked. */
public final class Refusal extends Exception {
    private static final long serialVersionUID = 1L;

    private final VerbsStatus status;

    public Refusal(VerbsStatus status, String message) {
        // Refusals are ordinary answers that a hostile domain can provoke at will: no stack trace.
        super(message, null, false, false);
        this.status = status;
    }

    /** The VMM's refusal, in the words for the domain. */
    public static Refusal of(HypercallException refused, String what) {
        return new Refusal(refused.status(), what + ": " + refused.status().text());
    }

    public VerbsStatus status() {
        return status;
    }

    /** What was found and what was allowed. */
    public String words() {
        String message = getMessage();
        return message == null ? status.text() : message;
    }
}
