package io.hyperverbs.backend.session;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlPath;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ProtocolViolation;
import org.jspecify.annotations.Nullable;

/**
 * The last replies of a session by request id, so that a retry gets the same answer and no second
 * effect. Holds {@link #SIZE} replies; an id too old to tell is refused. What it keeps of a request
 * is bounded by {@link RequestIdentity}. Under the session's lock.
 */
public final class ReplyWindow {
    public static final int SIZE = ControlPath.REPLIES_KEPT;

    private record Answered(long requestId, RequestIdentity request, ControlReply reply) {}

    private final @Nullable Answered[] answers = new @Nullable Answered[SIZE];
    private long highestId = -1;

    /**
     * What was answered to this request before.
     *
     * @return null if it is new
     * @throws ProtocolViolation if the id was used for another request
     */
    public @Nullable ControlReply find(long requestId, ControlRequest request) {
        Answered answered = answers[place(requestId)];
        if (answered != null && answered.requestId == requestId) {
            if (!answered.request.equals(RequestIdentity.of(request))) {
                throw new ProtocolViolation("request id " + requestId + " was another request's");
            }
            return answered.reply;
        }
        if (requestId <= highestId - SIZE) {
            return new ControlReply.Refused(
                    VerbsStatus.EINVAL, "request id " + requestId + " is more than " + SIZE + " behind " + highestId);
        }
        return null;
    }

    public void keep(long requestId, ControlRequest request, ControlReply reply) {
        answers[place(requestId)] = new Answered(requestId, RequestIdentity.of(request), reply);
        highestId = Math.max(highestId, requestId);
    }

    private static int place(long requestId) {
        return (int) (requestId & (SIZE - 1));
    }
}
