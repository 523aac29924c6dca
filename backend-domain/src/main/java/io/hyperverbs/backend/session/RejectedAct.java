package io.hyperverbs.backend.session;

import java.util.Locale;

/**
 * What a domain did that no correct driver does, or was refused: counted for each domain, and shown
 * by {@link #text} with its statistics.
 */
public enum RejectedAct {
    /** A privileged verb was refused by its check, quotas and rates included. */
    VERB,
    /** Frames of others, or of the wrong kind, were named. */
    FOREIGN_FRAME,
    /** A message that no driver sends. */
    PROTOCOL,
    /** One connection more than there may be. */
    CONNECTION,
    /** A call without the domain's own token. */
    WRONG_TOKEN,
    /** Frames that carry nothing, too many of them. */
    FLOOD,
    /** Bytes that are no HTTP/2, or more of it than it may be. */
    TRANSPORT,
    /** It read nothing for too long. */
    STALLED_READER,
    /** A bug of the backend's own that a call brought to light. */
    FAILED_CALL;

    /** Its name in statistics. */
    public String text() {
        return "rejected_" + name().toLowerCase(Locale.ROOT);
    }
}
