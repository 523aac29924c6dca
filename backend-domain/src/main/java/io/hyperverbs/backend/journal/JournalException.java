package io.hyperverbs.backend.journal;

/** The journal takes no record; so no verb may be done. */
public final class JournalException extends Exception {
    private static final long serialVersionUID = 1L;

    public JournalException(String message) {
        super(message);
    }

    public JournalException(String message, Throwable cause) {
        super(message, cause);
    }
}
