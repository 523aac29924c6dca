package io.hyperverbs.backend.cm;

import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.cm.CmOffer;
import io.hyperverbs.verbs.cm.RejectReason;

/** What a message of the connection manager brings with it. */
public record MessageContent(CmOffer offer, PrivateData data, RejectReason reject, long serviceId) {
    // Its type is of no queue pair, as its number.
    private static final CmOffer NO_OFFER = new CmOffer(QpType.RC, 0, 0, 0, 0, 0, 0, 0);

    public static final MessageContent NOTHING = of(PrivateData.none());

    public static MessageContent of(PrivateData data) {
        return reject(RejectReason.NONE, data);
    }

    public static MessageContent reject(RejectReason reason, PrivateData data) {
        return new MessageContent(NO_OFFER, data, reason, 0);
    }
}
