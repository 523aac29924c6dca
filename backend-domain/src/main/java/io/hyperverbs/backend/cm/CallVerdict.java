package io.hyperverbs.backend.cm;

import io.hyperverbs.verbs.cm.RejectReason;

/**
 * What becomes of a REQ from another HCA.
 *
 * @param isLater who calls is not known yet: the same REQ is to be looked at again in a moment
 * @param reason NONE unless it is rejected
 */
public record CallVerdict(boolean isLater, RejectReason reason) {
    public static final CallVerdict LATER = new CallVerdict(true, RejectReason.NONE);

    /** Rejected for that reason; with NONE taken. */
    public static CallVerdict of(RejectReason reason) {
        return new CallVerdict(false, reason);
    }
}
