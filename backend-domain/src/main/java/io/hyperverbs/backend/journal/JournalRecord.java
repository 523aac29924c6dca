package io.hyperverbs.backend.journal;

import io.hyperverbs.verbs.VerbsStatus;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

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
 * @param suppressed refusals since the last one recorded that were not, with DENIED; verbs without
 *     a record, with BEGUN
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
    private static final String OWN_NAME = "journal";
    private static final String LINK = "link=";

    /** The first record of a segment, behind one with that link. */
    static JournalRecord begun(long timeMicros, byte[] linkBefore, long unrecorded) {
        return new JournalRecord(
                timeMicros,
                0,
                OWN_NAME,
                0,
                Phase.BEGUN,
                OWN_NAME,
                LINK + HexFormat.of().formatHex(linkBefore),
                VerbsStatus.SUCCESS,
                unrecorded);
    }

    /** What {@link #begun} was given; null if it says no such thing. */
    byte @Nullable [] linkBefore() {
        if (phase != Phase.BEGUN || !arguments.startsWith(LINK)) {
            return null;
        }
        try {
            byte[] link = HexFormat.of().parseHex(arguments.substring(LINK.length()));
            return link.length == JournalFrame.LINK_BYTES ? link : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

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
        ENDED(6),
        /**
         * A segment of the journal begins; the arguments say the link of the record before, which
         * may be gone; suppressed is how many verbs were done without a record.
         */
        BEGUN(7);

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
