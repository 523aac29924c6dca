package io.hyperverbs.verbs;

/** A control verb was refused. Data-path verbs never throw: they return a {@link VerbsStatus}. */
public final class VerbsException extends Exception {
    private static final long serialVersionUID = 1L;

    private final VerbsStatus status;

    /**
     * @param status why, never {@link VerbsStatus#SUCCESS}
     * @param message what was found and what was allowed
     */
    public VerbsException(VerbsStatus status, String message) {
        super(status + ": " + message);
        this.status = status;
    }

    /** The answer as the C verbs would give it in {@code errno}. */
    public VerbsStatus status() {
        return status;
    }
}
