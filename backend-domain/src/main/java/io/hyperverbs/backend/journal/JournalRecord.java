package io.hyperverbs.backend.journal;

import io.hyperverbs.verbs.VerbsStatus;

/**
 * One record.
 *
 * @param timeMicros when, microseconds since 1970
 * @param domain id of the domain that asked
 * @param domainName its name
 * @param requestId the domain's number of the request
 * @param phase how far the verb has come
 * @param verb its name in the verbs API, such as {@code reg_mr}
 * @param arguments with an intent: the request; with a commit: the answer; else the refusal
 * @param status SUCCESS, or why it was refused
 * @param suppressed refusals since the last one recorded that were not; with DENIED only
 */
public record JournalRecord(
        long timeMicros,
        int domain,
        String domainName,
        long requestId,
        Phase phase,
        String verb,
        String arguments,
        VerbsStatus status,
        long suppressed) {

    /** How far a verb has come; the code is what files hold. */
    public enum Phase {
        /** Checked, about to be done. */
        INTENT(1),
        /** Done. */
        COMMIT(2),
        /** Not done after all; what was done of it is taken back. */
        UNDONE(3),
        /** Refused by a check. Only some of these are recorded. */
        DENIED(4),
        /** The domain sent what no correct driver sends; its session was closed. */
        VIOLATION(5),
        /** The session ended; the arguments say how many messages it received. */
        ENDED(6);

        private static final Phase[] PHASES = values();
        private final int code;

        Phase(int code) {
            this.code = code;
        }

        public int code() {
            return code;
        }

        static Phase of(int code) {
            for (Phase phase : PHASES) {
                if (phase.code == code) {
                    return phase;
                }
            }
            throw new IllegalArgumentException("journal phase " + code);
        }
    }
}
