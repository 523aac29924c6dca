package io.hyperverbs.backend.journal;

import com.google.protobuf.ByteString;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlCodec;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ProtocolViolation;
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
 * @param words what no message says: why it was refused, what a domain did, a session's numbers
 * @param status SUCCESS, or why it was refused
 * @param suppressed refusals since the last one recorded that were not, with DENIED; verbs without
 *     a record, with BEGUN
 * @param message the request with INTENT and, unless it is long, with DENIED; the reply with COMMIT; else empty
 */
public record JournalRecord(
        long timeMicros,
        int domain,
        String domainName,
        long requestId,
        Phase phase,
        String verb,
        String words,
        VerbsStatus status,
        long suppressed,
        ByteString message) {
    private static final String OWN_NAME = "journal";
    private static final String LINK = "link=";

    /** One without a message. */
    public JournalRecord(
            long timeMicros,
            int domain,
            String domainName,
            long requestId,
            Phase phase,
            String verb,
            String words,
            VerbsStatus status,
            long suppressed) {
        this(timeMicros, domain, domainName, requestId, phase, verb, words, status, suppressed, ByteString.EMPTY);
    }

    /**
     * The request, with INTENT and DENIED; null if the record has none.
     *
     * @throws ProtocolViolation if no backend of this format wrote it
     */
    public @Nullable ControlRequest request() {
        boolean has = (phase == Phase.INTENT || phase == Phase.DENIED) && !message.isEmpty();
        return has ? ControlCodec.request(message.toByteArray()) : null;
    }

    /**
     * The reply, with COMMIT, with every number and key that was drawn; null if the record is another.
     *
     * @throws ProtocolViolation if no backend of this format wrote it
     */
    public @Nullable ControlReply reply() {
        return phase == Phase.COMMIT ? ControlCodec.reply(message.toByteArray()) : null;
    }

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
        if (phase != Phase.BEGUN || !words.startsWith(LINK)) {
            return null;
        }
        try {
            byte[] link = HexFormat.of().parseHex(words.substring(LINK.length()));
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
        /** The session ended; the words say how many messages it received. */
        ENDED(6),
        /**
         * A segment of the journal begins; the words say the link of the record before, which
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
